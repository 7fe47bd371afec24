// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.internal.combine.Combiner;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What one member does in a collective operation: rounds of messages, each followed by work in memory once all its
 * messages are through. Both sides of a message add it in the same order, so that they give it the same number.
 */
final class Schedule {
    /** A step. The messages of a round are under way together; everything else is done in order. */
    sealed interface Step {
    }

    record Send(MemorySegment data, int to, int number) implements Step {
    }

    record Receive(MemorySegment room, int from, int number) implements Step {
    }

    record Combine(MemorySegment from, MemorySegment with, MemorySegment into) implements Step {
    }

    record Copy(MemorySegment from, MemorySegment into) implements Step {
    }

    private final Transport transport;
    private final Combiner combiner;
    private final List<List<Step>> rounds = new ArrayList<>();
    private final List<MemorySegment> scratch = new ArrayList<>();
    private final int[] sent;
    private final int[] received;
    private List<Step> round = new ArrayList<>();

    Schedule(Transport transport, Combiner combiner) {
        this.transport = transport;
        this.combiner = combiner;
        this.sent = new int[transport.size()];
        this.received = new int[transport.size()];
    }

    int rank() {
        return transport.rank();
    }

    int size() {
        return transport.size();
    }

    /** The rank of another member, by its distance from this one. */
    int neighbour(int distance) {
        return Math.floorMod(rank() + distance, size());
    }

    /** Empty data is not sent; the receiver knows that, too. */
    void send(MemorySegment data, int to) {
        for (long at = 0; at < data.byteSize(); at += transport.longest()) {
            round.add(new Send(data.asSlice(at, Math.min(transport.longest(), data.byteSize() - at)), to, sent[to]++));
        }
    }

    void receive(MemorySegment room, int from) {
        for (long at = 0; at < room.byteSize(); at += transport.longest()) {
            round.add(new Receive(room.asSlice(at, Math.min(transport.longest(), room.byteSize() - at)), from,
                    received[from]++));
        }
    }

    /** Combines two buffers into a third, which may be one of them. */
    void combine(MemorySegment from, MemorySegment with, MemorySegment into) {
        if (into.byteSize() > 0) {
            round.add(new Combine(from, with, into));
        }
    }

    /** Copies one buffer to another, unless they are the same. */
    void copy(MemorySegment from, MemorySegment into) {
        if (into.byteSize() > 0 && from.address() != into.address()) {
            round.add(new Copy(from, into));
        }
    }

    /** Ends the round. */
    void end() {
        if (!round.isEmpty()) {
            rounds.add(round);
            round = new ArrayList<>();
        }
    }

    /** Memory to use until the operation is over. */
    MemorySegment scratch(long bytes) {
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        MemorySegment memory = transport.allocate(bytes);
        scratch.add(memory);
        return memory.asSlice(0, bytes);
    }

    List<List<Step>> rounds() {
        end();
        return rounds;
    }

    Combiner combiner() {
        return combiner;
    }

    /** To be called when no message uses the memory any more. */
    void release() {
        scratch.forEach(transport::release);
        scratch.clear();
    }
}
