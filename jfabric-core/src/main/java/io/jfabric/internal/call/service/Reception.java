// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.PooledBuffer;
import io.jfabric.async.ServiceOptions;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.CallerGoodbye;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.ServiceGoodbye;
import io.jfabric.internal.call.wire.Welcome;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** How callers come and go: what they are told when they say hello, and the goodbyes. */
final class Reception {
    /** How many answers to hellos may be under way. */
    private static final int MOST_WELCOMES = 4096;

    private final ServiceImpl service;
    private final ServiceOptions options;
    private final NodeImpl node;
    private final Callers callers;
    private final DeafCallers deaf;
    private final Replies replies;
    private final Hub hub;
    private final AtomicInteger welcomes = new AtomicInteger();
    /** Whether there were any when the goodbyes were said; only for the thread that closes the service. */
    private boolean hadCallers;

    Reception(Replies replies, DeafCallers deaf, Hub hub) {
        this.service = replies.service;
        this.options = service.options();
        this.node = replies.node;
        this.callers = replies.callers;
        this.deaf = deaf;
        this.replies = replies;
        this.hub = hub;
    }

    /** A caller says hello; false if that makes no sense. */
    boolean greet(MemorySegment frame, long length) {
        Greeting greeting = Greeting.read(node, hub.inline, frame, length);
        if (greeting == null) {
            return false;
        }
        if (!callers.isOld(greeting)) {
            answer(greeting);
        }
        return true;
    }

    private void answer(Greeting greeting) {
        Connection made = callers.add(greeting);
        if (made != null && deaf.endIfDeaf(made)) {
            return;
        }
        PooledBuffer buffer = made == null && service.isClosed() ? null : hub.take();
        if (buffer == null) {
            // it will say hello again, maybe to a service that is opened next
            return;
        }
        if (made == null) {
            hub.refusals.send(greeting, buffer, false, "the service has its " + options.callers()
                    + " callers (ServiceOptions.withCallers)");
            return;
        }
        if (welcomes.incrementAndGet() > MOST_WELCOMES) {
            // nor is a buffer kept for each hello of a caller that does not read
            welcomed(buffer);
            return;
        }
        MemorySegment out = buffer.segment();
        new Welcome(greeting.hello(), made.callerKey(), made.number(), made.key(), made.inlineBytes(),
                callers.granted(greeting), service.largestRequest(made)).write(out);
        replies.send(made, Frame.ACCEPT, out, Welcome.LENGTH, () -> welcomed(buffer));
        if (service.isClosed()) {
            // the goodbyes may have been said before
            sayGoodbye(made, true);
        }
    }

    private void welcomed(PooledBuffer buffer) {
        welcomes.decrementAndGet();
        buffer.close();
    }

    /** A caller says goodbye. */
    void leave(MemorySegment frame) {
        CallerGoodbye bye = CallerGoodbye.read(frame);
        Connection has = callers.find(bye.connection(), bye.serviceKey());
        if (has != null) {
            callers.leave(has);
        }
        // whichever hello was heard: also a caller that does not know of its place yet
        callers.goodbye(bye.tag(), bye.callerKey());
    }

    private void sayGoodbye(Connection connection, boolean isAnswered) {
        PooledBuffer buffer = hub.take();
        if (buffer != null) {
            new ServiceGoodbye(connection.number(), connection.callerKey(), connection.key(), isAnswered)
                    .write(buffer.segment());
            replies.send(connection, Frame.BYE, buffer.segment(), Frame.HEADER, buffer::close);
        }
    }

    /**
     * Says goodbye to all callers.
     *
     * @param isAnswered whether they are to do the same: a caller that does has all that was sent before
     * @return done when no caller is left
     */
    CompletableFuture<Void> sayGoodbye(boolean isAnswered) {
        NodeFuture<Void> allGone = new NodeFuture<>(node.drive());
        hadCallers = callers.count() > 0;
        callers.close(() -> allGone.complete(null));
        if (node.isOpen()) {
            callers.each(connection -> sayGoodbye(connection, isAnswered));
            // maybe nobody polls any more
            node.drive().sendAllGathered();
        }
        return allGone;
    }

    /** After the goodbyes: whether there were any callers. */
    boolean hadCallers() {
        return hadCallers;
    }
}
