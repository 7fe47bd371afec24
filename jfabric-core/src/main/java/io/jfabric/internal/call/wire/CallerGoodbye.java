// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * What a caller says in a BYE.
 *
 * @param connection the service's number for the caller; 0 if the caller does not know it yet
 * @param serviceKey the key that requests must carry; 0 if the caller does not know it yet
 * @param callerKey the key that answers must carry, as the caller said in its hello
 * @param tag the target of its answers
 */
public record CallerGoodbye(int connection, long serviceKey, long callerKey, long tag) {
    /** Writes all but the target. */
    public void write(MemorySegment frame) {
        Frame.write(frame, Frame.BYE, connection, serviceKey, callerKey, 0, 0, tag);
    }

    public static CallerGoodbye read(MemorySegment frame) {
        return new CallerGoodbye(Frame.connection(frame), Frame.key(frame), Frame.id(frame), Frame.more(frame));
    }
}
