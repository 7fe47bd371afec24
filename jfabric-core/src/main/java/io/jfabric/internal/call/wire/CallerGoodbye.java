// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;

/**
 * What a caller says in a BYE.
 *
 * @param connection the service's number for it; 0 if it has not heard of one
 * @param serviceKey what requests must have; 0 if it has not heard of that
 * @param callerKey what its answers must have, which it has said in its hello
 * @param tag where its answers go
 */
public record CallerGoodbye(int connection, long serviceKey, long callerKey, long tag) {
    /** The target is still missing. */
    public void write(MemorySegment frame) {
        Frame.write(frame, Frame.BYE, connection, serviceKey, callerKey, 0, 0, tag);
    }

    public static CallerGoodbye read(MemorySegment frame) {
        return new CallerGoodbye(Frame.connection(frame), Frame.key(frame), Frame.id(frame), Frame.more(frame));
    }
}
