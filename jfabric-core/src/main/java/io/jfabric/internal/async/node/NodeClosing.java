// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.drive.EngineImpl;
import io.jfabric.internal.async.drive.NodeParts;
import io.jfabric.internal.async.flow.Done;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.StackRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Starts the progress of a node, and closes the node. */
final class NodeClosing {
    private static final Log LOG = Log.of(Node.class);
    /** For how long to wait for the thread that makes progress; it is in a short native call at most. */
    private static final long SEIZE = 10_000_000_000L;

    /** For the thread's name: an address in a provider's own format may be long. */
    private static final int LONGEST_NAME = 100;

    private final NodeImpl node;
    private final NodeParts parts;
    private final NodeOptions options;
    private final Flow flow;
    private final Drive drive;
    /** Null if nobody closes the node, or after a close that was refused. */
    private final AtomicReference<Attempt> attempt = new AtomicReference<>();
    private volatile Thread closer;
    /** Whether nobody makes progress any more, also after a close that was refused. For the closing thread. */
    private boolean seized;
    /** Null if callers make all progress. */
    private EngineImpl engine;

    private static final class Attempt {
        final CountDownLatch ended = new CountDownLatch(1);
        /** Why it was refused; null if it was not. */
        volatile Throwable refusal;
    }

    NodeClosing(NodeImpl node, NodeParts parts, Flow flow) {
        this.node = node;
        this.parts = parts;
        this.options = node.options();
        this.flow = flow;
        this.drive = node.drive();
    }

    void begin() {
        if (options.callerProgress()) {
            return;
        }
        engine = (EngineImpl) options.engine().orElseGet(() -> EngineImpl.start(threadName(), options.idle()));
        drive.engine(engine);
        engine.add(drive);
    }

    /** For thread dumps. The number comes first, as the system shows only the beginning. */
    private String threadName() {
        String name = "jfabric-node-" + node.number() + " " + node.info().provider()
                + (parts.endpoint() == null ? "" : " " + node.address());
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }

    void close() {
        StackRoom.ensureForSeveral();
        Attempt mine = new Attempt();
        Attempt others = attempt.compareAndExchange(null, mine);
        if (others != null) {
            awaitOther(others);
            return;
        }
        closer = Thread.currentThread();
        try {
            node.sayFarewells();
            drive.sendAllGathered();
            node.sayLastWord();
            flow.close();
            seized = seized || drive.seize(Clock.after(SEIZE));
            if (engine != null) {
                engine.remove(drive);
            }
            if (!seized) {
                throw new IllegalStateException("Node.close: the thread that makes progress did not stop in time; try "
                        + "again later");
            }
            closeFabric();
        } catch (RuntimeException | Error e) {
            mine.refusal = e;
            throw e;
        } finally {
            end(mine.ended, parts.fabric().isOpen());
        }
        parts.info().close();
    }

    /** Ends all futures. After a refused close the program may try again; until then the provider keeps what it has. */
    private void end(CountDownLatch mine, boolean refused) {
        boolean isOver = false;
        try {
            Completing.runAll(endAttempt(mine, refused));
            isOver = !refused;
        } finally {
            if (!isOver) {
                closer = null;
                attempt.set(null);
            }
        }
        if (isOver) {
            node.tracker().closed();
        }
    }

    /** Ends the attempt; returns what is left to do. Who waits for its end does so even if the memory ends here. */
    private List<Runnable> endAttempt(CountDownLatch mine, boolean refused) {
        Done done;
        List<Runnable> rest;
        try {
            done = new Done();
            rest = new ArrayList<>();
            if (refused) {
                flow.failWaiting(done);
                rest.add(this::endFutures);
            } else {
                flow.failAll(done);
            }
        } finally {
            mine.countDown();
        }
        if (engine != null && options.engine().isEmpty()) {
            engine.close();
        }
        rest.addAll(List.of(() -> drive.complete(done.take()), node.connections()::close));
        node.peers().all().forEach(peer -> rest.add(() -> peer.end(null)));
        rest.add(drive.end::closed);
        if (!refused) {
            rest.add(node::runAtEnd);
        }
        return rest;
    }

    private void endFutures() {
        List<Runnable> own = new ArrayList<>();
        List<Runnable> programs = new ArrayList<>();
        flow.abandonPosted(operation -> (operation.isOwn() ? own : programs).add(operation::endAsGivenUp));
        Completing.runAll(own);
        if (!programs.isEmpty()) {
            drive.completing().run(() -> Completing.runAll(programs));
        }
    }

    /** If all is closed but the provider has kept something, only logs that: the program could do nothing about it. */
    private void closeFabric() {
        try {
            parts.close();
        } catch (FabricException kept) {
            if (parts.fabric().isOpen()) {
                throw kept;
            }
            LOG.warn("{} is closed, but not all of what the provider had for it was freed: {}", node, kept.toString());
            LOG.debug("what was not freed", kept);
        }
    }

    /** Returns when it is closed, interrupted or not; at once in a thread for which the closing one may be waiting. */
    private void awaitOther(Attempt other) {
        if (closer == Thread.currentThread() || engine != null && engine.isEngineThread()) {
            return;
        }
        boolean interrupted = false;
        while (other.ended.getCount() > 0) {
            try {
                other.ended.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable refusal = other.refusal;
        if (refusal != null) {
            throw new IllegalStateException("Node.close: another thread has tried to close the node at the same time, "
                    + "and was refused: " + refusal.getMessage(), refusal);
        }
    }
}
