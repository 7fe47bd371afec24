// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.util.Arrays;

/** Which receiver gets the messages for a target. Immutable: read for each message, seldom changed. */
final class Routes {
    static final Routes NONE = new Routes(new long[0], new Hub.Receiver[0]);

    /** Sorted. */
    private final long[] targets;
    private final Hub.Receiver[] receivers;

    private Routes(long[] targets, Hub.Receiver[] receivers) {
        this.targets = targets;
        this.receivers = receivers;
    }

    /** Null if nobody has that target. */
    Hub.Receiver find(long target) {
        int at = Arrays.binarySearch(targets, target);
        return at < 0 ? null : receivers[at];
    }

    boolean isEmpty() {
        return targets.length == 0;
    }

    Hub.Receiver[] all() {
        return receivers;
    }

    /** With one more receiver, for a target that has none. */
    Routes with(long target, Hub.Receiver receiver) {
        int at = -Arrays.binarySearch(targets, target) - 1;
        int after = targets.length - at;
        long[] more = Arrays.copyOf(targets, targets.length + 1);
        Hub.Receiver[] others = Arrays.copyOf(receivers, more.length);
        System.arraycopy(targets, at, more, at + 1, after);
        System.arraycopy(receivers, at, others, at + 1, after);
        more[at] = target;
        others[at] = receiver;
        return new Routes(more, others);
    }

    /** Without that target, if it is the receiver's. */
    Routes without(long target, Hub.Receiver receiver) {
        int at = Arrays.binarySearch(targets, target);
        if (at < 0 || receivers[at] != receiver) {
            return this;
        }
        int after = targets.length - at - 1;
        long[] fewer = Arrays.copyOf(targets, targets.length - 1);
        Hub.Receiver[] others = Arrays.copyOf(receivers, fewer.length);
        System.arraycopy(targets, at + 1, fewer, at, after);
        System.arraycopy(receivers, at + 1, others, at, after);
        return new Routes(fewer, others);
    }
}
