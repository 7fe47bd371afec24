// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * What a service says in an ACCEPT.
 *
 * @param hello the hello that it answers
 * @param callerKey the caller's key, as said in that hello
 * @param connection the service's number for the caller
 * @param key the key that requests must carry
 * @param inlineBytes the longest payload that goes in one message with the header
 * @param slots how many calls may be under way
 * @param largest the longest request that the service takes
 */
public record Welcome(int hello, long callerKey, int connection, long key, int inlineBytes, int slots, long largest) {
    /** The length of the message, with its header. */
    public static final int LENGTH = Frame.HEADER + Long.BYTES;

    /** Writes all but the target. */
    public void write(MemorySegment frame) {
        Frame.write(frame, Frame.ACCEPT, connection, callerKey, key, LENGTH - Frame.HEADER,
                (long) inlineBytes << 32 | slots, largest);
        Frame.set(frame, Frame.HEADER, hello);
    }

    /** Null if it makes no sense. */
    public static Welcome read(MemorySegment frame, long length) {
        long sizes = Frame.time(frame);
        if (!Frame.isWhole(frame, length) || length != LENGTH || sizes < 0 || (int) sizes < 1) {
            return null;
        }
        return new Welcome((int) Frame.get(frame, Frame.HEADER), Frame.key(frame), Frame.connection(frame),
                Frame.id(frame), (int) (sizes >>> 32), (int) sizes, Frame.more(frame));
    }
}
