// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * What a service, or a node without it, says in a REFUSE.
 *
 * @param hello the hello that it answers
 * @param callerKey the caller's key, as said in that hello
 * @param isClosing whether there was such a service until now, which may be back
 * @param why what the caller's calls fail with
 */
public record Refusal(int hello, long callerKey, boolean isClosing, String why) {
    private static final long CLOSING = 1;

    /** Writes all but the target, with as much of the reason as fits. Returns the length. */
    public long write(MemorySegment frame) {
        int text = Frame.text(frame, why);
        Frame.write(frame, Frame.REFUSE, hello, callerKey, 0, text, 0, isClosing ? CLOSING : 0);
        return Frame.HEADER + text;
    }

    /** Null if it makes no sense. */
    public static Refusal read(MemorySegment frame, long length) {
        return Frame.isWhole(frame, length)
                ? new Refusal(Frame.connection(frame), Frame.key(frame), Frame.more(frame) == CLOSING,
                        Frame.text(frame)) : null;
    }
}
