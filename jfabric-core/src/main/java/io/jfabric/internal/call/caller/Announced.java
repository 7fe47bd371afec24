// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;

/**
 * A call whose answer is received before it was asked for. It ends with the answer; or, if none comes, when both the
 * message that says why and the end of the receive are here, in whichever order.
 */
final class Announced {
    private final Wire.Incoming incoming;
    /** All that the answer may fill. */
    final MemorySegment room;
    private boolean decided;
    private boolean released;
    private boolean ended;

    /** What the end of the receive means. */
    enum Release {
        /** The message was here before: the call ends as that says. */
        DECIDED,
        /** The message has not come, and is not waited for. */
        OVER,
        /** The message will come, or the call's time will end. */
        OPEN
    }

    Announced(Wire.Incoming incoming, MemorySegment room) {
        this.incoming = incoming;
        this.room = room;
    }

    /** The message has come, and the call knows what it says. Whether the call is to be ended now. */
    synchronized boolean decided() {
        decided = true;
        boolean now = released && !ended;
        ended |= now;
        return now;
    }

    /** Nothing is received any more; and if it failed, nothing is waited for. */
    synchronized Release released(boolean failed) {
        released = true;
        ended = decided || failed;
        return decided ? Release.DECIDED : failed ? Release.OVER : Release.OPEN;
    }

    /** No message will come. */
    void giveUp() {
        incoming.cancel();
    }
}
