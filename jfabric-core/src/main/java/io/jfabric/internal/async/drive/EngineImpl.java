// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.FabricException;
import io.jfabric.async.Engine;
import io.jfabric.async.IdleStrategy;
import io.jfabric.async.Node;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.idle.IdleTimes;
import io.jfabric.internal.idle.Idling;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/** {@link Engine}. */
public final class EngineImpl implements Engine, Runnable {
    private static final Log LOG = Log.of(Node.class);
    /** How long it leaves nodes alone that waiting threads drive, in nanoseconds. */
    private static final long AWAY = 1_000_000;
    /** How long another thread polls each of its nodes in its place while there is much to do, in nanoseconds. */
    private static final long IN_ITS_PLACE = 50_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final Driven[] NONE = {};

    private static final int AWAKE = 0;
    /** Parked; must be woken for what is posted, which may be complete at once. */
    private static final int ASLEEP = 1;
    /** Blocked on file descriptors, which tell when there is something. */
    private static final int ON_DESCRIPTOR = 2;
    /** Parked, as other threads drive all nodes. */
    private static final int AWAY_FROM_WAITERS = 3;

    private final IdleStrategy idle;
    private final IdleTimes times;
    private final Thread thread;
    private final DescriptorSleep descriptors = new DescriptorSleep();
    private volatile Driven[] nodes = NONE;
    private volatile int sleep;
    /** When it wakes up by itself; never until that is known, so that whoever posts meanwhile wakes it. */
    private volatile long wakesAt = Clock.NEVER;
    private volatile boolean ended;
    private final Standstill standstill;
    private long lastFailure = -SECOND;

    private EngineImpl(String name, IdleStrategy idle) {
        this.idle = idle;
        this.times = IdleTimes.of(idle);
        this.thread = new EngineThread(this, name);
        this.standstill = new Standstill(thread, this::pollForIt);
    }

    public static EngineImpl start(String name, IdleStrategy idle) {
        EngineImpl engine = new EngineImpl(Objects.requireNonNull(name, "Engine.start: the name is null"),
                Objects.requireNonNull(idle, "Engine.start: the idle strategy is null"));
        try {
            engine.thread.start();
        } catch (OutOfMemoryError none) {
            if (isOfThreads(none)) {
                throw withoutThread(none);
            }
            throw none;
        }
        return engine;
    }

    private static boolean isOfThreads(OutOfMemoryError none) {
        return none.getMessage() != null && none.getMessage().contains("native thread");
    }

    private static FabricException withoutThread(OutOfMemoryError none) {
        FabricException refused = FabricException.of("Engine.start", Errno.EAGAIN, "the system has no thread for it: "
                + "raise its limit (ulimit -u, a container's pids.max), or let nodes share an engine "
                + "(NodeOptions.withEngine)");
        refused.initCause(none);
        return refused;
    }

    @Override
    public IdleStrategy idle() {
        return idle;
    }

    @Override
    public boolean isEngineThread() {
        return Thread.currentThread() == thread;
    }

    /** The engine whose thread this is, whatever nodes it drives; null if this is no engine's. */
    static EngineImpl ofThisThread() {
        return Thread.currentThread() instanceof EngineThread here ? here.engine : null;
    }

    @Override
    public int nodes() {
        return nodes.length;
    }

    public synchronized void add(Drive drive) {
        if (ended) {
            throw new IllegalStateException("Node.open: the engine is closed");
        }
        Driven[] more = Arrays.copyOf(nodes, nodes.length + 1);
        more[more.length - 1] = new Driven(drive);
        nodes = more;
        wake();
    }

    /** The drive is seized already. Waits until its descriptor is out of use, except in the engine's thread. */
    public void remove(Drive drive) {
        synchronized (this) {
            nodes = Arrays.stream(nodes).filter(driven -> driven.drive != drive).toArray(Driven[]::new);
        }
        long end = Clock.after(DescriptorSleep.LONGEST);
        while (!isEngineThread() && sleep == ON_DESCRIPTOR && !Clock.isPast(end)) {
            drive.descriptors().signal();
            Thread.yield();
        }
    }

    @Override
    public void run() {
        Idling idling = new Idling(times);
        try {
            standstill.begin();
        } catch (Throwable e) {
            survive(e);
        }
        while (!ended) {
            try {
                drive(idling);
            } catch (Throwable e) {
                survive(e);
            }
        }
        standstill.end();
    }

    private void drive(Idling idling) {
        Driven[] all = nodes;
        int away = 0;
        int work = 0;
        for (Driven driven : all) {
            int polls = driven.drive.pollsOfWaiters();
            if (polls != driven.pollsSeen) {
                driven.pollsSeen = polls;
                away++;
            } else {
                work += driven.drive.pollForEngine(false);
            }
        }
        if (work > 0) {
            idling.reset();
        } else if (away > 0 && away == all.length) {
            sleep(AWAY_FROM_WAITERS, AWAY, all);
            idling.reset();
        } else if (!idling.stayedAwake()) {
            sleep(idling, all);
        }
    }

    /** All nodes depend on this thread: it goes on, even if there was no memory or no stack for something. */
    private void survive(Throwable failure) {
        sleep = AWAKE;
        try {
            long now = Clock.now();
            if (now - lastFailure > SECOND) {
                lastFailure = now;
                LOG.error("{} goes on", thread.getName(), failure);
            }
        } catch (Throwable again) {
            // no memory for the log either
        }
        LockSupport.parkNanos(AWAY);
    }

    /** Polls all nodes, for a callback that waits and has room; if aside, another thread completes what is found. */
    int poll(boolean aside) {
        standstill.goesOn();
        return poll(nodes, aside);
    }

    private static int poll(Driven[] all, boolean aside) {
        int work = 0;
        for (Driven driven : all) {
            work += driven.drive.pollForEngine(aside);
        }
        return work;
    }

    /** The same in a thread that does it in place of this one. */
    private void pollForIt() {
        for (Driven driven : nodes) {
            driven.drive.catchUp(Clock.after(IN_ITS_PLACE));
        }
    }

    Standstill standstill() {
        return standstill;
    }

    private void sleep(Idling idling, Driven[] all) {
        if (times.onDescriptor() && descriptors.canBlock(all)) {
            wakesAt = Clock.NEVER;
            sleep = ON_DESCRIPTOR;
            long most = untilNext(all, DescriptorSleep.LONGEST);
            wakesAt = Clock.after(most);
            if (nothingWaits(all)) {
                descriptors.block(most);
            }
            sleep = AWAKE;
            return;
        }
        // from now on whoever posts wakes this thread; some may have posted since its last look
        sleep = ASLEEP;
        if (poll(all, false) == 0) {
            sleep(ASLEEP, idling.nextSleep(), all);
        } else {
            sleep = AWAKE;
            idling.reset();
        }
    }

    private void sleep(int how, long longest, Driven[] all) {
        wakesAt = Clock.NEVER;
        sleep = how;
        long most = untilNext(all, longest);
        wakesAt = Clock.after(most);
        if (all == nodes && !ended && nothingGathered(all)) {
            // callbacks may have left the thread interrupted: then it would not sleep
            Thread.interrupted();
            LockSupport.parkNanos(this, Math.max(1, most));
        } else {
            // somebody is about to send, and needs the processor for it
            Thread.yield();
        }
        sleep = AWAKE;
    }

    private boolean nothingWaits(Driven[] all) {
        for (Driven driven : all) {
            if (driven.drive.hasWaiting() || driven.drive.hasNewChores()) {
                return false;
            }
        }
        return all == nodes && !ended;
    }

    private static boolean nothingGathered(Driven[] all) {
        for (Driven driven : all) {
            if (driven.drive.hasGathered()) {
                return false;
            }
        }
        return true;
    }

    /** Whether it polls without being woken. */
    boolean isAwake() {
        return sleep == AWAKE;
    }

    private static long untilNext(Driven[] all, long most) {
        long until = most;
        for (Driven driven : all) {
            until = Math.min(until, Clock.left(driven.drive.flow().earliest()));
        }
        return Math.max(1, until);
    }

    /** Something was posted that has this deadline. */
    void posted(long deadline) {
        int how = sleep;
        if (how == ASLEEP || how != AWAKE && deadline < wakesAt) {
            wake();
        }
    }

    /** Something waits that the engine can act on. */
    void wake() {
        int how = sleep;
        if (how == ON_DESCRIPTOR) {
            for (Driven driven : nodes) {
                if (driven.drive.descriptors().signal()) {
                    return;
                }
            }
        } else if (how != AWAKE) {
            LockSupport.unpark(thread);
        }
    }

    /** Something waits of which no descriptor will tell. */
    void wakeFromDescriptors() {
        if (sleep == ON_DESCRIPTOR) {
            wake();
        }
    }

    /** A thread waits that makes no progress itself. */
    void wakeFromSleep() {
        if (sleep == ASLEEP) {
            LockSupport.unpark(thread);
        }
    }

    /** A thread that made progress does not any longer, and waits. */
    void takeOver() {
        if (sleep == AWAY_FROM_WAITERS || sleep == ASLEEP) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (nodes.length > 0) {
                throw new IllegalStateException("Engine.close: " + nodes.length + " nodes use it; close them first");
            }
            ended = true;
        }
        LockSupport.unpark(thread);
    }

    @Override
    public String toString() {
        return "engine " + thread.getName() + " of " + nodes.length + " nodes";
    }

    private static final class EngineThread extends Thread {
        final EngineImpl engine;

        EngineThread(EngineImpl engine, String name) {
            super(engine, name);
            this.engine = engine;
            setDaemon(true);
        }
    }

    /** A node, and what the engine has seen of it. */
    static final class Driven {
        final Drive drive;
        int pollsSeen;

        Driven(Drive drive) {
            this.drive = drive;
        }

        int[] fds() {
            return drive.descriptors().fds();
        }
    }
}
