// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A call whose answer is received before it is announced. It ends with the answer; or, if none comes, when both the
 * message that says why and the end of the receive are here, in whichever order: the second of them ends it.
 */
final class Announced {
    private final Outgoing<?> call;
    private final Wire.Incoming incoming;
    /** All the memory that the answer may fill. */
    final MemorySegment room;
    private boolean decided;
    private boolean released;
    /** An answer that came in the message; not in the room yet, as the receive, or the call, may end meanwhile. */
    private byte[] answer;

    /** What the end of the receive means for the call. */
    enum Release {
        /** The message was here before: the call ends as it says. */
        DECIDED,
        /** The message has not come, and is not waited for. */
        OVER,
        /** The message is still to come, and can claim the call; or the call's time will end. */
        OPEN
    }

    Announced(Outgoing<?> call, Wire.Incoming incoming, MemorySegment room) {
        this.call = call;
        this.incoming = incoming;
        this.room = room;
    }

    /** The message has come, and says that the call fails. Returns whether the end of the receive ends the call. */
    synchronized boolean failed(Throwable why) {
        if (!released && !decided) {
            // what a service says of a call that was withdrawn is not why the call failed
            call.failure(why);
            decided = true;
        }
        return !released;
    }

    /** The message has come, with an answer in it. Returns whether the end of the receive ends the call. */
    synchronized boolean answered(MemorySegment message, long offset, long length) {
        if (!released) {
            answer = message.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            decided = true;
        }
        return !released;
    }

    /**
     * Nothing is received any more, and nobody uses the call's memory. If the receive failed, no message is waited for
     * either. After {@link Release#OPEN} the call can be claimed again.
     */
    synchronized Release released(boolean failed) {
        if (decided) {
            return Release.DECIDED;
        }
        released = true;
        if (failed) {
            return Release.OVER;
        }
        call.reopen();
        return Release.OPEN;
    }

    /** After {@link Release#DECIDED}. */
    void deliver() {
        byte[] here;
        synchronized (this) {
            here = answer;
        }
        if (here != null) {
            call.deliver(MemorySegment.ofArray(here), 0, here.length);
        }
    }

    /** No message will come. */
    void giveUp() {
        incoming.cancel();
    }
}
