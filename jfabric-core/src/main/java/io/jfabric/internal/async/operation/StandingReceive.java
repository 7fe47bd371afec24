// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.Endpoint;
import io.jfabric.info.Address;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;

/**
 * A receive of the node's own messages that is posted again after each: it allocates nothing for a message, and keeps
 * its slot and its place. Its future is done only if it was refused or given up.
 */
public final class StandingReceive extends Operation<Void> {
    private final Drive drive;
    private final Endpoint endpoint;
    private final long tag;
    private final Taker taker;
    private MemorySegment buffer;
    private long received;

    /** Gets the messages; after each {@link #next} one of these is called, once. */
    public interface Taker {
        /** A message of this length is in the buffer, which is the taker's now. */
        void arrived(long length);

        /** Nothing is received any more, and the buffer is the taker's. */
        void failed(Throwable why);
    }

    /** One for a tag that programs cannot use, from anybody. */
    public StandingReceive(Common common, Endpoint endpoint, long tag, Taker taker) {
        super(common.drive(), common.ownReceives(), null, Clock.NEVER);
        this.drive = common.drive();
        this.endpoint = endpoint;
        this.tag = tag;
        this.taker = taker;
        phase(OVER);
    }

    /**
     * Receives the next message. Call it only while it does not receive.
     *
     * @throws IllegalStateException if it was stopped or its node is closed: the buffer is the caller's then
     */
    public void next(MemorySegment into) {
        if (!change(OVER, NEW)) {
            throw new IllegalStateException(what() + ": stopped");
        }
        buffer = into;
        try {
            drive.startAgain(this);
        } catch (RuntimeException | Error closed) {
            // unless whoever closes the node has found it, and ends it
            if (change(NEW, OVER)) {
                throw closed;
            }
        }
    }

    /** Ends it for good; if it waits for a message, gives that up and tells the taker. */
    public void stop() {
        if (change(OVER, REFUSED)) {
            drive.flow().release(context);
        } else if (phase() != REFUSED) {
            cancel(false);
        }
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    protected boolean waitsForOthers() {
        return true;
    }

    @Override
    public boolean isOwn() {
        return true;
    }

    @Override
    protected boolean isPostedAgain() {
        return true;
    }

    @Override
    protected boolean post() {
        return endpoint.tagged().receive(buffer, 0, buffer.byteSize(), Address.ANY, tag, 0, context);
    }

    @Override
    protected Void result(Completion completion) {
        received = completion.length();
        return null;
    }

    @Override
    public void count(Moved moved, Completion completion) {
        moved.received(completion.length());
    }

    @Override
    protected void finishValue(Void nothing) {
        taker.arrived(received);
    }

    @Override
    public boolean end(Throwable why) {
        boolean first = super.end(why);
        taker.failed(why);
        return first;
    }

    @Override
    public String what() {
        return "receive of the node's own messages";
    }
}
