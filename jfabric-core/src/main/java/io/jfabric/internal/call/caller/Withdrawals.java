// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.LongFrames;
import io.jfabric.internal.call.wire.Resending;
import java.util.concurrent.CompletableFuture;

/**
 * Tells a service what it need not wait for any more: it keeps a place for that until it is told. For calls that are
 * over, whose slots may belong to others by now: so the messages are in memory of the hub.
 */
final class Withdrawals {
    private final CallerImpl caller;
    private final Sessions sessions;
    private final Hub hub;
    private final long tag;

    Withdrawals(CallerImpl caller, Sessions sessions, Hub hub, long tag) {
        this.caller = caller;
        this.sessions = sessions;
        this.hub = hub;
        this.tag = tag;
    }

    /** Nobody wants the answer that the service has announced. */
    void answer(long id, long number) {
        Session now = sessions.current();
        PooledBuffer out = now != null ? hub.take() : null;
        if (out != null) {
            LongFrames.drop(out.segment(), now.connection(), now.key(), id, number);
            new Message(out).send();
        }
    }

    /** The request cannot be sent. */
    void request(long id) {
        Session now = sessions.current();
        PooledBuffer out = now != null ? hub.take() : null;
        if (out != null) {
            LongFrames.withdraw(out.segment(), now.connection(), now.key(), id);
            new Message(out).send();
        }
    }

    /** In a buffer of the hub, which is given back afterwards. */
    private final class Message extends Resending {
        private final PooledBuffer out;
        private CompletableFuture<Void> sent;

        Message(PooledBuffer out) {
            this.out = out;
        }

        @Override
        protected CompletableFuture<Void> sendOnce() {
            sent = null;
            sent = hub.wire.send(out.segment(), Frame.HEADER, caller.peer(), tag);
            return sent;
        }

        @Override
        protected void over(Throwable failure) {
            hub.wire.node.whenReleased(sent, sent == null ? null : failure, out::close);
        }
    }
}
