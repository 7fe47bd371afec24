// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.CallFrames;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Resending;
import io.jfabric.internal.call.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** What a service sends to its callers, except long answers and what is about sessions. */
final class Replies {
    private static final Resending NOTHING = new Resending() {
        @Override
        protected CompletableFuture<Void> sendOnce() {
            return null;
        }

        @Override
        protected void over(Throwable failure) {
            // there is nothing to send
        }
    };

    final ServiceImpl service;
    final Callers callers;
    final Wire wire;
    final NodeImpl node;

    Replies(ServiceImpl service, Callers callers, Wire wire) {
        this.service = service;
        this.callers = callers;
        this.wire = wire;
        this.node = wire.node;
    }

    /** Sends what is already written, then runs {@code then}, possibly at once. */
    void send(Connection connection, int type, MemorySegment frame, long length, Runnable then) {
        new Reply(this, connection, type, frame, length, then, null, null).send();
    }

    /** Sends what ends a call, which is in the buffer of the call. */
    void answer(IncomingCall call, int type, long length) {
        MemorySegment frame = call.buffer.segment();
        end(frame, type, call.connection, call.id, length);
        new Reply(this, call.connection, type, frame, Frame.HEADER + length, call.buffer::close, call,
                call.roomFor(type, length)).send();
    }

    /** Refuses a call, from the buffer of its request. */
    void refuse(PooledBuffer buffer, Connection connection, long id, int type, AnswerRoom room) {
        service.countRefusal();
        MemorySegment frame = buffer.segment();
        end(frame, type, connection, id, 0);
        send(connection, type, frame, Frame.HEADER, buffer::close);
        if (room != null) {
            new NoAnswer(this, connection, room, false).send();
        }
    }

    private void end(MemorySegment frame, int type, Connection connection, long id, long length) {
        CallFrames.end(frame, type, connection.number(), connection.callerKey(), id, length,
                type == Frame.BUSY && service.isDraining());
    }

    /** To be sent after the answer: ends the caller's early receive of it, unless the answer itself goes there. */
    Resending releasing(IncomingCall call, int type, long length) {
        if (!call.hasRoom() || call.roomFor(type, length) != null) {
            return NOTHING;
        }
        call.connection.callBegins();
        return new NoAnswer(this, call.connection, call.room, true);
    }
}
