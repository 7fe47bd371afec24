// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * What a service says in a BYE.
 *
 * @param connection its number for the caller
 * @param callerKey the caller's key, as said in its hello
 * @param serviceKey the key that requests had to carry
 * @param isAnswered whether the caller is to say goodbye, too
 */
public record ServiceGoodbye(int connection, long callerKey, long serviceKey, boolean isAnswered) {
    private static final long ANSWER = 1;

    /** Writes all but the target. */
    public void write(MemorySegment frame) {
        Frame.write(frame, Frame.BYE, connection, callerKey, serviceKey, 0, 0, isAnswered ? ANSWER : 0);
    }

    public static ServiceGoodbye read(MemorySegment frame) {
        return new ServiceGoodbye(Frame.connection(frame), Frame.key(frame), Frame.id(frame),
                Frame.more(frame) == ANSWER);
    }
}
