// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process is killed when it has taken an entry of a peer's queue, and not committed it yet. */
@Timeout(60)
class DeadClaimTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    @BeforeEach
    void claims() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(Quirks.of("shm").has(Quirk.CLAIMS_OF_THE_DEAD), "entries are not taken before they are filled");
    }

    /** A queue of an endpoint, as its peers see it. */
    private static final class Queue {
        private final MemorySegment region;
        private final ClaimLayout layout;
        private final ClaimQueue queue;

        Queue(Path file, int number) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                region = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), Arena.global());
            }
            layout = ClaimLayout.of(region, region.byteSize());
            queue = layout.queues(region).get(number);
        }

        /** Takes the lock, if there is one, as if the process died inside. */
        void lock() {
            if (layout.lock() != 0) {
                region.set(ValueLayout.JAVA_INT, layout.lock(), 1 - SharedRegion.FREE);
            }
        }

        /** Takes the next entry, as {@code next} does it, while nobody else does. */
        long claim() {
            long entry = queue.end();
            long place = layout.queueOffset() + (layout.entryBytes() == 528 ? 8 : 0);
            if (!LONG.compareAndSet(region, place, entry, entry + 1) || !queue.isClaimed(entry)) {
                throw new AssertionError("entry " + entry + " was not taken");
            }
            return entry;
        }
    }

    /** Sends to the endpoint of the argument; if there is another argument, polls without a pause; does as told. */
    static final class Sender {
        private Sender() {
        }

        public static void main(String[] args) throws Exception {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            try (Pair pair = Pair.open(Providers.SHM)) {
                Address target = Address.ofCode(pair.a.endpoint.address().formatCode(), HEX.parseHex(args[0]));
                long peer = pair.a.addresses.insert(target);
                send(pair, peer);
                System.out.println("SENT");
                Queue queue = new Queue(file(target), 0);
                long entry = 0;
                while (true) {
                    if (args.length > 1 && System.in.available() == 0) {
                        for (int i = 0; i < 100_000; i++) {
                            pair.a.poll();
                        }
                        continue;
                    }
                    switch (in.readLine()) {
                        case "claim" -> entry = queue.claim();
                        case "lock" -> new Queue(file(pair.a.endpoint.address()), 0).lock();
                        case "give up" -> queue.queue.discard(entry);
                        default -> send(pair, peer);
                    }
                    System.out.println("DONE");
                }
            }
        }

        private static void send(Pair pair, long peer) {
            pair.post(() -> pair.a.endpoint.messages().inject(Arena.ofAuto().allocate(8), peer));
        }
    }

    private static Path file(Address address) {
        return SharedRegion.place(address.toText());
    }

    private static ChildJvm sender(Pair pair, String... more) {
        String at = HEX.formatHex(pair.b.endpoint.address().bytes());
        ChildJvm sender = ChildJvm.of(Sender.class, more.length == 0 ? new String[] {at} : new String[] {at, more[0]})
                .start();
        receive(pair);
        pair.until("it has sent", () -> sender.output().contains("SENT"));
        await(pair);
        return sender;
    }

    private static void receive(Pair pair) {
        pair.b.done().clear();
        pair.post(() -> pair.b.endpoint.messages().receive(Arena.ofAuto().allocate(8), Address.ANY, 1));
    }

    private static void await(Pair pair) {
        // sleeps in between, as a node does
        Waits.until("a message has come", () -> {
            pair.progress();
            return !pair.b.done().isEmpty();
        });
    }

    private static void order(ChildJvm sender, String what) {
        long before = sender.output().lines().filter("DONE"::equals).count();
        sender.tell(what);
        sender.awaitLine(line -> sender.output().lines().filter("DONE"::equals).count() > before);
    }

    /** Of those that live, one is always busy, if it can be told that it does not wait for a lock. */
    @Test
    void whatOthersSendArrives() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM); ChildJvm dead = sender(pair);
             ChildJvm living = canSpin(pair) ? sender(pair) : sender(pair, "busy")) {
            order(dead, "claim");
            // nobody waits for this
            order(dead, "lock");
            order(dead, "claim");
            receive(pair);
            order(living, "send");
            dead.kill();
            await(pair);
        }
    }

    private static boolean canSpin(Pair pair) throws IOException {
        return new Queue(file(pair.b.endpoint.address()), 0).layout.lockOfSender() == Bystanders.Lock.SPINNING;
    }

    /** What is seen of it does not tell whether it will go on. */
    @Test
    @Tag("long")
    void nothingIsTakenFromWhoIsStopped() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM); ChildJvm dead = sender(pair); ChildJvm slow = sender(pair)) {
            Queue queue = new Queue(file(pair.b.endpoint.address()), 0);
            order(slow, "claim");
            long entry = queue.queue.end() - 1;
            slow.stop();
            dead.kill();
            pair.progressFor(Duration.ofSeconds(4));
            assertThat(queue.queue.isClaimed(entry)).as("it is still its").isTrue();
            slow.resume();
            order(slow, "give up");
            receive(pair);
            order(slow, "send");
            await(pair);
            order(slow, "claim");
            slow.stop();
            pair.progressFor(Duration.ofSeconds(2));
            slow.kill();
            Waits.until("it is taken from it", () -> {
                pair.progress();
                return !queue.queue.isClaimed(queue.queue.end() - 1);
            });
        }
    }
}
