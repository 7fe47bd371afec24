// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Which receives need not wait for their rounds: those into memory that nothing before them uses. If a message is not
 * sent before its receive is posted, its sender then need not wait. None is posted before one of an earlier round, as
 * there may be only one place for all of them.
 */
final class Ahead {
    /** A receive, and its round. */
    record Early(Schedule.Receive receive, int round) {
    }

    /** The most rounds to look ahead, as each receive holds a place of its node. */
    private static final int ROUNDS = 4;

    private Ahead() {
    }

    /** Those of the rounds after this one, in order, up to the first whose memory is used before. */
    static List<Early> of(List<List<Schedule.Step>> rounds, int now) {
        List<Early> ahead = new ArrayList<>();
        for (int later = now + 1; later < Math.min(now + 1 + ROUNDS, rounds.size()); later++) {
            List<List<Schedule.Step>> before = rounds.subList(now, later);
            for (Schedule.Step step : rounds.get(later)) {
                if (step instanceof Schedule.Receive receive) {
                    if (!isFree(receive.room(), before)) {
                        return ahead;
                    }
                    ahead.add(new Early(receive, later));
                }
            }
        }
        return ahead;
    }

    private static boolean isFree(MemorySegment room, List<List<Schedule.Step>> before) {
        return before.stream().flatMap(List::stream).noneMatch(step -> switch (step) {
            case Schedule.Send(var data, var _, var _) -> overlap(room, data);
            case Schedule.Receive(var other, var _, var _) -> overlap(room, other);
            case Schedule.Combine(var from, var with, var into) -> overlap(room, from) || overlap(room, with)
                    || overlap(room, into);
            case Schedule.Copy(var from, var into) -> overlap(room, from) || overlap(room, into);
        });
    }

    private static boolean overlap(MemorySegment one, MemorySegment other) {
        return one.address() < other.address() + other.byteSize() && other.address() < one.address() + one.byteSize();
    }
}
