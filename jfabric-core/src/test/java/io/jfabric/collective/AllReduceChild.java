// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.testing.Meeting;
import io.jfabric.testkit.Providers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** One of several processes: prints its address, reads everybody's, sums numbers with all, prints the sums. */
public final class AllReduceChild {
    private AllReduceChild() {
    }

    public static void main(String[] args) throws IOException {
        int size = Integer.parseInt(args[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Arena arena = Arena.ofConfined(); Member self = new Member(Providers.RXM)) {
            List<byte[]> all = Meeting.join(self.endpoint.address().bytes(), size, in);
            self.meet(all);
            List<Member> me = List.of(self);
            self.group = Collectives.of(self.endpoint).join(self.set(0, size - 1, 1), 1);
            Member.until(me, "join", self.group::isJoined);
            int rank = self.group.rank();
            MemorySegment mine = arena.allocateFrom(JAVA_DOUBLE, 1 << rank, 0.5, -rank);
            MemorySegment sums = arena.allocate(mine.byteSize(), 8);
            for (int round = 0; round < 3; round++) {
                long context = 10 + round;
                Member.until(me, "start", () -> Collectives.of(self.endpoint).allReduce(self.group, mine, sums,
                        Datatype.DOUBLE, AtomicOp.SUM, context));
                Member.until(me, "sum", () -> self.has(context));
            }
            Member.until(me, "start", () -> Collectives.of(self.endpoint).barrier(self.group, 2));
            Member.until(me, "barrier", () -> self.has(2));
            System.out.println("RANK " + rank + " SUMS " + Arrays.toString(sums.toArray(JAVA_DOUBLE)));
            // the others may still need this process to pass their messages on
            long end = System.nanoTime() + 300_000_000;
            while (System.nanoTime() < end) {
                self.progress();
            }
        }
    }
}
