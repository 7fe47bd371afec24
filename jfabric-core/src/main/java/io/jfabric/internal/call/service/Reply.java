// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Resending;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** A short message to a caller. If it cannot be delivered the caller would wait for it: so its session ends. */
final class Reply extends Resending implements Runnable {
    private final Replies replies;
    private final Connection connection;
    private final MemorySegment frame;
    private final long length;
    private final Runnable then;
    /** The call that ends with it; null if none does. */
    private final IncomingCall call;
    private final int type;
    /** Where what follows the header goes on its own; null if it goes with the header. */
    private final AnswerRoom room;
    /** The future of the last try; null if it could not even be started. */
    private CompletableFuture<Void> sent;

    Reply(Replies replies, Connection connection, int type, MemorySegment frame, long length, Runnable then,
            IncomingCall call, AnswerRoom room) {
        this.replies = replies;
        this.connection = connection;
        this.frame = frame;
        this.length = length;
        this.then = then;
        this.call = call;
        this.type = type;
        this.room = room;
        connection.unsent().begins();
    }

    @Override
    protected CompletableFuture<Void> sendOnce() {
        sent = null;
        if (type != Frame.BYE && !replies.callers.has(connection)) {
            // it has said goodbye, or lost its place, maybe since the last try
            return null;
        }
        if ((type == Frame.ANSWER || type == Frame.FAILURE) && replies.node.isOpen()) {
            // before the caller has it
            replies.service.countAnswer(call);
        }
        sent = room == null ? connection.outlet().send(frame, length, connection.inlineBytes())
                : replies.node.internal().send(frame, Frame.HEADER, length - Frame.HEADER, connection.peer(),
                        room.tag());
        return sent;
    }

    @Override
    protected void over(Throwable failure) {
        replies.node.whenReleased(sent, sent == null ? null : failure, this);
        if (failure != null) {
            replies.callers.lose(connection);
        }
        if (call != null) {
            replies.service.told(connection);
        }
    }

    /** The frame's memory may be used again. */
    @Override
    public void run() {
        connection.unsent().ends();
        then.run();
    }
}
