// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.util.concurrent.CancellationException;

/**
 * An operation has failed at one member of a group: the others would wait in vain in this one and all later ones.
 *
 * @param group which group, by its name
 * @param turn how many groups of that name each member has had before it; less than 0 if the member does not know
 * @param rank the member
 * @param operation which of the group's operations, from 0; unlike in tags, numbers are not reused
 * @param errno what its exception said, or {@code FI_ECANCELED}; more than 0
 * @param reason for people
 */
public record Failure(long group, int turn, int rank, int operation, int errno, String reason) {
    static Failure of(long group, int turn, int rank, int operation, String name, Throwable problem) {
        String why = reason(problem);
        return new Failure(group, turn, rank, operation,
                // a program's exception may have any number
                problem instanceof FabricException e && e.errno() > 0 ? e.errno() : Errno.ECANCELED,
                why.startsWith(name) ? why : name + ": " + why);
    }

    /** The exception may be the program's, and fail to say what it is. */
    static String reason(Throwable problem) {
        String why;
        try {
            why = problem.getMessage();
        } catch (RuntimeException | Error e) {
            why = problem.getClass().getName();
        }
        return why != null ? why : problem instanceof CancellationException ? "cancelled"
                : problem.getClass().getName();
    }

    /** Whether it keeps another operation of the group from completing, too. Numbers may overflow. */
    boolean ends(int other) {
        return other - operation >= 0;
    }

    /** Whether it is about a later group of the same name. */
    boolean isLater(int than) {
        return than >= 0 && turn > than;
    }

    /** What it means for a later group of the same name: that its member does not make it. So if that is not known. */
    Failure in(int later) {
        return turn == later && turn >= 0 ? this : new Failure(group, later, rank, 0, errno,
                turn < 0 || later < 0 ? reason : "in an earlier group of this name: " + reason);
    }

    /** Whichever of the two ends more. */
    Failure orEarlier(Failure other) {
        boolean isFirst = turn == other.turn ? ends(other.operation) : turn < other.turn;
        return isFirst ? this : other;
    }

    FabricException at(String name) {
        return FabricException.of(name, errno, "operation " + (Integer.toUnsignedLong(operation) + 1)
                + " of the group has failed at rank " + rank + ": " + reason);
    }
}
