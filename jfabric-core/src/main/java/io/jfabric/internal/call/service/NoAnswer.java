// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.Resending;
import java.util.concurrent.CompletableFuture;

/** An empty payload to where a caller receives an answer that does not go there. */
final class NoAnswer extends Resending {
    private final Replies replies;
    private final Connection connection;
    private final AnswerRoom room;
    private final boolean isWaitedFor;

    NoAnswer(Replies replies, Connection connection, AnswerRoom room, boolean isWaitedFor) {
        this.replies = replies;
        this.connection = connection;
        this.room = room;
        this.isWaitedFor = isWaitedFor;
    }

    @Override
    protected CompletableFuture<Void> sendOnce() {
        return replies.wire.sendNoPayload(connection.peer(), room.tag());
    }

    @Override
    protected void over(Throwable failure) {
        if (failure != null) {
            replies.callers.lose(connection);
        }
        if (isWaitedFor) {
            replies.service.told(connection);
        }
    }
}
