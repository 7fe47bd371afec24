// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.Direction;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** One thread sends while another changes the flags that its operations have, in the JVM of its test. */
final class DefaultFlagsRace {
    /** As many as a busy machine has the time for. */
    private static final int MESSAGES = 1000;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final long CONTEXT = 7;

    private DefaultFlagsRace() {
    }

    public static void main(String[] args) throws Exception {
        Providers.Choice choice = Providers.all().filter(c -> c.provider().equals(args[0])
                && c.type() == EndpointType.RDM).findFirst().orElseThrow();
        switch (args[1]) {
            case "completions" -> run(choice, 8, OperationFlag.COMPLETION, false);
            case "completionsOfRequests" -> run(choice, 8, OperationFlag.COMPLETION, true);
            case "lengths" -> run(choice, -1, OperationFlag.INJECT, false);
            default -> throw new IllegalArgumentException(args[1]);
        }
        System.out.println("SURVIVED");
    }

    private static void run(Providers.Choice choice, int size, OperationFlag flag, boolean byRequest)
            throws Exception {
        try (Pair pair = Pair.open(choice).connect();
             CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
             AddressVector addresses = pair.domain.openAddressVector();
             Endpoint sender = pair.domain.openEndpoint(pair.info).bind(addresses)
                     .bind(queue, BindFlag.RECV)
                     .bind(queue, BindFlag.TRANSMIT, BindFlag.SELECTIVE_COMPLETION).enable()) {
            long peer = addresses.insert(pair.b.endpoint.address());
            MemorySegment message = Arena.ofAuto().allocate(size < 0 ? pair.info.tx().injectSize() + 1 : size);
            MemorySegment into = Arena.ofAuto().allocate(message.byteSize());
            MessageRequest request = sender.messages().sendRequest().buffer(message, 0, message.byteSize()).peer(peer);
            BooleanSupplier send = byRequest ? () -> request.post(CONTEXT)
                    : () -> sender.messages().send(message, peer, CONTEXT);
            AtomicBoolean ends = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread other = Thread.ofPlatform().daemon().start(() -> toggle(sender, flag, ends, failure));
            AtomicInteger wrong = new AtomicInteger();
            AtomicInteger arrived = new AtomicInteger();
            CompletionHandler here = completion -> wrong.addAndGet(completion.context() == CONTEXT ? 0 : 1);
            CompletionHandler there = completion -> arrived.addAndGet(completion.context() == CONTEXT ? 1 : 0);
            int sent = 0;
            int refused = 0;
            long end = System.nanoTime() + LONGEST.toNanos();
            try {
                while (sent < MESSAGES && System.nanoTime() < end && failure.get() == null) {
                    int expected = arrived.get() + 1;
                    pair.untilWithoutProgress("the receive", () -> {
                        pair.b.queue.poll(there, 8);
                        return pair.b.endpoint.messages().receive(into, Address.ANY, CONTEXT);
                    });
                    boolean[] taken = new boolean[1];
                    while (!taken[0]) {
                        try {
                            pair.untilWithoutProgress("the send", () -> {
                                queue.poll(here, 8);
                                pair.b.queue.poll(there, 8);
                                return send.getAsBoolean();
                            });
                            taken[0] = true;
                            sent++;
                        } catch (FabricException tooLong) {
                            check(tooLong.error() == FabricError.EMSGSIZE, tooLong);
                            refused++;
                        }
                    }
                    pair.untilWithoutProgress("the message", () -> {
                        queue.poll(here, 8);
                        pair.b.queue.poll(there, 8);
                        return arrived.get() >= expected;
                    });
                }
            } finally {
                ends.set(true);
            }
            check(other.join(Pair.DEADLINE), "the other thread does not end");
            check(failure.get() == null, failure.get());
            check(wrong.get() == 0, wrong.get() + " completions with another context");
            pair.untilWithoutProgress("what asked for a completion has none", () -> {
                queue.poll(here, 8);
                return sender.statistics().underWay() == 0;
            });
            System.out.println("sent " + sent + ", refused " + refused);
        }
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /** So that there is time to send. */
    private static void pause() {
        for (int i = 0; i < 2000; i++) {
            Thread.onSpinWait();
        }
    }

    private static void toggle(Endpoint endpoint, OperationFlag flag, AtomicBoolean ends,
            AtomicReference<Throwable> failure) {
        try {
            while (!ends.get()) {
                endpoint.setOperationFlags(Direction.TRANSMIT, Flags.of(flag));
                pause();
                endpoint.setOperationFlags(Direction.TRANSMIT, Flags.ofBits(OperationFlag.class, 0));
                pause();
            }
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }
}
