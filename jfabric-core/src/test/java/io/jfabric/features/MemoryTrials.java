// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.AtomicOp;
import io.jfabric.Atomics;
import io.jfabric.CompletionFlag;
import io.jfabric.Datatype;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;

/** Trials with the memory of the right side. */
final class MemoryTrials {
    private static final HexFormat HEX = HexFormat.of();
    private static final int SIZE = 1 << 16;

    private MemoryTrials() {
    }

    /** On the right: registers memory and tells of it. */
    private static MemorySegment offer(Party party, MemorySegment memory) {
        MemoryRegion region =
                party.side.endpoint.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
        party.link.tell(HEX.formatHex(region.remote().toBytes()));
        return memory;
    }

    /** On the left. */
    private static RemoteRegion taken(Party party) {
        return RemoteRegion.of(HEX.parseHex(party.hear()));
    }

    private static void run(Party party, BooleanSupplier operation) {
        party.post(operation);
        party.await(1);
    }

    /** A write is there when a later message has come, or a read has shown it. */
    static void write(Party party) {
        MemorySegment pattern = Bytes.pattern(party.arena, SIZE, 4);
        if (party.left) {
            RemoteRegion region = taken(party);
            run(party, () -> party.side.endpoint.rma().write(pattern, party.side.peer, region, 0, 1));
            party.together("over");
        } else {
            MemorySegment memory = offer(party, party.arena.allocate(SIZE, 8));
            long end = System.nanoTime() + Link.DEADLINE.toNanos() / 2;
            while (memory.mismatch(pattern) >= 0 && System.nanoTime() < end) {
                party.progress();
            }
            party.expect(pattern, memory);
            party.together("over");
        }
    }

    static void read(Party party) {
        MemorySegment pattern = Bytes.pattern(party.arena, SIZE, 5);
        if (party.left) {
            RemoteRegion region = taken(party);
            MemorySegment buffer = party.arena.allocate(SIZE, 8);
            run(party, () -> party.side.endpoint.rma().read(buffer, party.side.peer, region, 0, 1));
            party.expect(pattern, buffer);
        } else {
            offer(party, pattern);
        }
        party.together("over");
    }

    static void writeData(Party party) {
        if (party.info.domain().limits().cqDataSize() == 0) {
            throw new Feature.NotThere("no immediate data");
        }
        MemorySegment pattern = Bytes.pattern(party.arena, SIZE, 6);
        if (party.left) {
            RemoteRegion region = taken(party);
            run(party, () -> party.side.endpoint.rma().writeData(pattern, 77, party.side.peer, region, 0, 1));
        } else {
            // some providers take a receive for it
            if (party.info.mode().bits() != 0) {
                MemorySegment none = party.arena.allocate(8, 8);
                party.post(() -> party.side.endpoint.messages().receive(none, io.jfabric.info.Address.ANY, 9));
            }
            MemorySegment memory = offer(party, party.arena.allocate(SIZE, 8));
            party.expect("data", 77, party.await(done -> done.is(CompletionFlag.REMOTE_CQ_DATA)).data());
            party.expect(pattern, memory);
        }
        party.together("over");
    }

    static void atomics(Party party) {
        if (party.left) {
            RemoteRegion region = taken(party);
            Atomics atomics = party.side.endpoint.atomics();
            long peer = party.side.peer;
            MemorySegment operand = party.arena.allocate(8, 8);
            MemorySegment compare = party.arena.allocate(8, 8);
            MemorySegment result = party.arena.allocate(8, 8);
            operand.set(ValueLayout.JAVA_LONG, 0, 7);
            run(party, () -> atomics.apply(operand, peer, region, 0, Datatype.INT64, AtomicOp.SUM, 1));
            run(party, () -> atomics.fetchAndApply(operand, result, peer, region, 0, Datatype.INT64, AtomicOp.SUM, 1));
            party.expect("fetched", 12, result.get(ValueLayout.JAVA_LONG, 0));
            compare.set(ValueLayout.JAVA_LONG, 0, 19);
            operand.set(ValueLayout.JAVA_LONG, 0, 100);
            run(party, () -> atomics.compareAndApply(operand, compare, result, peer, region, 0, Datatype.INT64,
                    AtomicOp.CSWAP, 1));
            party.expect("swapped", 19, result.get(ValueLayout.JAVA_LONG, 0));
            party.together("over");
        } else {
            MemorySegment memory = party.arena.allocate(8, 8);
            memory.set(ValueLayout.JAVA_LONG, 0, 5);
            offer(party, memory);
            party.together("over");
            party.expect("value", 100, memory.get(ValueLayout.JAVA_LONG, 0));
        }
    }
}
