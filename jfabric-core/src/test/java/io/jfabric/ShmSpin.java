// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** What never came back on shm, each in a process of its own: see {@link ShmSpinTest}. */
final class ShmSpin {
    private static final long TRUNCATED = 265;
    private static final HexFormat HEX = HexFormat.of();

    private ShmSpin() {
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "untagged" -> truncate(args, false, CompletionFormat.TAGGED);
            case "tagged" -> truncate(args, true, CompletionFormat.TAGGED);
            case "plainQueue" -> truncate(args, false, CompletionFormat.CONTEXT);
            case "requests" -> requests();
            case "unexpected" -> unexpected();
            case "elsewhere" -> elsewhere();
            case "sender" -> sender(args);
            case "peek" -> peek();
            case "fill" -> fill();
            case "empty" -> empty();
            case "multi" -> multi();
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("SURVIVED");
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static MemorySegment pattern(long size) {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(8, size), 8);
        for (long i = 0; i + 8 <= size; i += 8) {
            memory.set(ValueLayout.JAVA_LONG, i, i + 1);
        }
        return memory.asSlice(0, size);
    }

    private static void checkError(Done done, long over) {
        check(done.error() != null && done.error().errno() == TRUNCATED && done.error().overflow() == over, done);
    }

    /** Messages that do not fit, in turn with some that do; arguments are their size and the room for them. */
    private static void truncate(String[] args, boolean tagged, CompletionFormat format) {
        long size = Long.parseLong(args[1]);
        long room = Long.parseLong(args[2]);
        try (Pair pair = Pair.open(Providers.SHM, hints -> { }, CompletionQueueAttributes.of(format), e -> { })) {
            MemorySegment out = pattern(size);
            // what is behind the buffer stays as it is
            MemorySegment in = Arena.ofAuto().allocate(room + 64).fill((byte) 7);
            for (int i = 0; i < 3; i++) {
                pair.post(() -> tagged ? pair.b.endpoint.tagged().receive(in, 0, room, Address.ANY, 5, 0, 1)
                        : pair.b.endpoint.messages().receive(in, 0, room, Address.ANY, 1));
                pair.post(() -> tagged ? pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 2)
                        : pair.a.endpoint.messages().send(out, pair.a.peer, 2));
                checkError(pair.awaitAny(pair.b, d -> d.context() == 1), size - room);
                pair.await(pair.a, 2);
                check(in.asSlice(0, room).mismatch(out.asSlice(0, room)) == -1, "what did fit");
                check(in.get(ValueLayout.JAVA_BYTE, room) == 7, "memory behind the buffer was written");
                pair.post(() -> pair.b.endpoint.messages().receive(in, 0, room, Address.ANY, 3));
                pair.post(() -> pair.a.endpoint.messages().send(out, 0, room, pair.a.peer, 4));
                Done fits = pair.await(pair.b, 3);
                check(format == CompletionFormat.CONTEXT || fits.length() == room, fits);
                pair.await(pair.a, 4);
            }
        }
    }

    private static void requests() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            MemorySegment out = pattern(100_000);
            MemorySegment in = Arena.ofAuto().allocate(300);
            MessageRequest request = pair.b.endpoint.messages().receiveRequest()
                    .buffers(in.asSlice(0, 100), in.asSlice(100, 100), in.asSlice(200, 100));
            TaggedRequest flagged = pair.b.endpoint.tagged().receiveRequest().tag(3)
                    .buffers(in.asSlice(0, 100), in.asSlice(100, 100)).flags(OperationFlag.COMPLETION);
            for (int i = 0; i < 3; i++) {
                pair.post(() -> request.post(1));
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
                checkError(pair.awaitAny(pair.b, d -> d.context() == 1), out.byteSize() - 300);
                check(in.mismatch(out.asSlice(0, 300)) == -1, "what did fit");
                pair.post(() -> flagged.post(1));
                pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 3, 2));
                checkError(pair.awaitAny(pair.b, d -> d.context() == 1), out.byteSize() - 200);
            }
            try {
                request.buffers(in, in, in, in);
                throw new AssertionError("the tail takes one of four places");
            } catch (IllegalArgumentException expected) {
                // four buffers and the tail are five
            }
        }
    }

    /** The copy is made inside the receive. */
    private static void unexpected() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            MemorySegment out = pattern(100_000);
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            for (int i = 0; i < 1000; i++) {
                pair.progress();
            }
            pair.post(() -> pair.b.endpoint.messages().receive(out.asSlice(0, 10), Address.ANY, 1));
            checkError(pair.awaitAny(pair.b, d -> d.context() == 1), 100_000 - 10);
        }
    }

    /** As an ordinary peer does; arguments are the address and the size. */
    private static void sender(String[] args) {
        try (Pair pair = Pair.open(Providers.SHM)) {
            long peer = pair.a.addresses.insert(HEX.parseHex(args[1]));
            MemorySegment out = pattern(Long.parseLong(args[2]));
            pair.post(() -> pair.a.endpoint.messages().send(out, peer, 2));
            System.out.println(pair.awaitAny(pair.a, d -> d.context() == 2));
        }
    }

    private static void elsewhere() {
        try (Pair pair = Pair.open(Providers.SHM); ChildJvm child = ChildJvm.of(ShmSpin.class, "sender",
                HEX.formatHex(pair.b.endpoint.address().bytes()), "1000000").start()) {
            MemorySegment in = Arena.ofAuto().allocate(100);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            checkError(pair.awaitAny(pair.b, d -> d.context() == 1), 1_000_000 - 100);
            check(in.mismatch(pattern(100)) == 96, "what did fit");
            child.awaitLine(line -> line.contains("SURVIVED"));
        }
    }

    private static void peek() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            MemorySegment out = pattern(8192);
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 2));
            pair.progress();
            TaggedMessages tagged = pair.b.endpoint.tagged();
            refused(() -> tagged.peek(Address.ANY, 5, 0, 1));
            refused(() -> tagged.peekAndClaim(Address.ANY, 5, 0, 1));
            refused(() -> tagged.peekAndDiscard(Address.ANY, 5, 0, 1));
            refused(() -> tagged.claim(out, Address.ANY, 5, 0, 1));
            refused(() -> tagged.discard(Address.ANY, 5, 0, 1));
            // the message is still there
            pair.post(() -> tagged.receive(out, Address.ANY, 5, 0, 3));
            pair.await(pair.b, 3);
        }
    }

    private static void refused(Runnable operation) {
        try {
            operation.run();
        } catch (FabricException e) {
            check(e.error() == FabricError.EOPNOTSUPP, e);
            return;
        }
        throw new AssertionError("not refused");
    }

    private static void fill() {
        try (Pair pair = Pair.open(Providers.SHM, hints -> { },
                CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                e -> e.setOption(EndpointOption.MIN_MULTI_RECV, 4000L)).connect()) {
            MemorySegment memory = pattern(64);
            TaggedMessages tagged = pair.b.endpoint.tagged();
            int posted = 0;
            while (tagged.receive(memory, Address.ANY, 7, 0, 1)) {
                posted++;
            }
            check(posted > 512 && posted < pair.info.rx().size(), posted);
            System.out.println("posted " + posted);
            MemorySegment several = Arena.ofAuto().allocate(10_000);
            check(!pair.b.endpoint.messages().receiveMulti(several, Address.ANY, 5), "nor one of several messages");
            pair.post(() -> pair.a.endpoint.tagged().send(memory, pair.a.peer, 9, 2));
            pair.await(pair.a, 2);
            pair.post(() -> pair.a.endpoint.tagged().send(memory, pair.a.peer, 7, 3));
            pair.await(pair.b, 1);
            check(tagged.receive(memory, Address.ANY, 9, 0, 4), "there is room again");
            pair.await(pair.b, 4);
            // what was cancelled makes room too
            int cancelled = 0;
            while (pair.b.endpoint.cancel(1)) {
                pair.awaitError(pair.b, 1);
                cancelled++;
            }
            check(cancelled == posted - 1, cancelled + " of " + posted);
            check(tagged.receive(memory, Address.ANY, 9, 0, 4), "there is room again");
        }
    }

    private static void empty() {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            MessageRequest request = pair.a.endpoint.messages().sendRequest().peer(pair.a.peer)
                    .flags(OperationFlag.DELIVERY_COMPLETE, OperationFlag.COMPLETION);
            refused(() -> request.post(1));
            MemorySegment memory = pattern(8);
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 2));
            pair.post(() -> request.buffers(memory).post(1));
            pair.await(pair.b, 2);
            pair.await(pair.a, 1);
        }
    }

    private static void multi() {
        try (Pair pair = Pair.open(Providers.SHM, hints -> { },
                CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                e -> { }).connect()) {
            MemorySegment memory = Arena.ofAuto().allocate(10_000);
            refused(() -> pair.b.endpoint.messages().receiveMulti(memory, Address.ANY, 1));
        }
        try (Pair pair = Pair.open(Providers.SHM, hints -> { },
                CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                e -> e.setOption(EndpointOption.MIN_MULTI_RECV, 4000L)).connect()) {
            MemorySegment memory = Arena.ofAuto().allocate(10_000);
            try {
                pair.b.endpoint.messages().receiveMulti(memory.asSlice(0, 3999), Address.ANY, 1);
                throw new AssertionError("not refused");
            } catch (IllegalArgumentException expected) {
                // shorter than the messages that may come
            }
            MemorySegment out = pattern(3000);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(memory, Address.ANY, 1));
            for (int i = 0; i < 2; i++) {
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
                pair.await(pair.a, 2);
                pair.await(pair.b, 1);
            }
            MemorySegment next = Arena.ofAuto().allocate(3000);
            pair.post(() -> pair.b.endpoint.messages().receive(next, Address.ANY, 3));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            pair.awaitAny(pair.b, d -> d.context() == 1 || d.context() == 3);
        }
    }
}
