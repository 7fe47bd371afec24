// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.async.Node;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.watch.HeldUp;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Notices that the thread of an engine does not come back from a callback, while that blocks: the clock's thread looks
 * now and then. It logs what that callback does, and has other threads poll in its place, so that deadlines end what
 * waits. The engine's thread only counts.
 */
final class Standstill {
    private static final Log LOG = Log.of(Node.class);
    /** Between two looks at all engines, in milliseconds. */
    private static final long SELDOM = 800;
    /** Between two looks at one that has not got on from one look to the next. */
    private static final long OFTEN = 100;
    /** Two looks that are further apart tell nothing: everything stood still. In nanoseconds. */
    private static final long LONG = 1_000_000_000;
    /** How many threads may be at it in place of the engine: they may be blocked by callbacks, too. */
    private static final int MOST = 16;
    private static final String OWN = "io.jfabric.internal.";
    /** Of classes that are not the program's. */
    private static final Pattern LIBRARY = Pattern.compile("(io\\.jfabric\\.internal|java|jdk|sun)\\.");
    private static final Set<Standstill> ALL = ConcurrentHashMap.newKeySet();
    private static final Sweep LOOKS = new Sweep(SELDOM, Standstill::lookAtAll);
    private static final VarHandle TURN;

    static {
        try {
            TURN = MethodHandles.lookup().findVarHandle(Standstill.class, "turn", int.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Thread thread;
    /** Polls all nodes of the engine. */
    private final Runnable poll;
    private final Sweep closer = new Sweep(OFTEN, this::lookCloser);
    private final AtomicInteger inItsPlace = new AtomicInteger();
    private final Seldom tells = new Seldom();
    private volatile Path file;
    /** Changed by the engine's thread whenever it gets on; odd inside of callbacks. */
    private int turn;

    /** All of the clock's thread: the turn at the last look, and when it was seen first. */
    private int seen;
    private long since;
    /** The turn that is looked at more closely, what the thread did then, and when that was. */
    private int suspect;
    private TaskState last;
    private long lastAt;
    private boolean isHeldUp;

    Standstill(Thread thread, Runnable poll) {
        this.thread = thread;
        this.poll = poll;
    }

    /** In the engine's thread. */
    void begin() {
        file = TaskState.fileOfThisThread();
        ALL.add(this);
        LOOKS.begin();
    }

    void end() {
        ALL.remove(this);
    }

    /** The engine's thread begins to run callbacks, perhaps inside of others; returns something for {@link #leave}. */
    int enter() {
        int before = turn;
        TURN.setRelease(this, before + 2 - (before + 1 & 1));
        return before;
    }

    void leave(int before) {
        TURN.setRelease(this, turn + 2 - (before + 1 & 1));
    }

    /** The engine's thread makes progress inside of a callback that waits. */
    void goesOn() {
        TURN.setRelease(this, turn + 2);
    }

    private int turn() {
        return (int) TURN.getAcquire(this);
    }

    private static boolean lookAtAll() {
        ALL.forEach(Standstill::look);
        return !ALL.isEmpty();
    }

    private void look() {
        int now = turn();
        if (now != seen || (now & 1) == 0) {
            seen = now;
            since = Clock.now();
        } else if (suspect != now) {
            suspect = now;
            last = null;
            closer.begin();
        }
    }

    /** Returns whether to look again. */
    private boolean lookCloser() {
        if (turn() != suspect) {
            if (isHeldUp) {
                isHeldUp = false;
                HeldUp.end(thread);
            }
            return false;
        }
        TaskState now = TaskState.of(file, thread);
        long at = Clock.now();
        if (!isHeldUp && last != null && at - lastAt < LONG && now.hadItsTurn(last)) {
            isHeldUp = true;
            HeldUp.begin(thread);
            tell();
        }
        last = now;
        lastAt = at;
        if (isHeldUp) {
            pollInItsPlace();
        }
        return true;
    }

    private void tell() {
        int times = tells.happened();
        if (times > 0) {
            Throwable where = new Throwable("what " + thread.getName() + " is doing");
            where.setStackTrace(thread.getStackTrace());
            LOG.warn("{} has been in one callback for {} ms{}; until that returns, its nodes make progress only now "
                    + "and then. {}", thread.getName(), (Clock.now() - since) / 1_000_000, Seldom.since(times),
                    advice(where.getStackTrace()), where);
        }
    }

    /** What to do about it: the thread may also wait for the JVM, as while a class is loaded on a busy machine. */
    static String advice(StackTraceElement[] stack) {
        int depth = 0;
        while (depth < stack.length && LIBRARY.matcher(stack[depth].getClassName()).lookingAt()) {
            depth++;
        }
        return depth == stack.length
                ? "No code of the program's is on its stack: is the machine too busy, or its memory or disk?"
                : depth > 0 && begins(stack[depth - 1])
                ? "It is in an operation of jfabric that the callback began: is the machine too busy, or are they very "
                + "many?"
                : "What is appended to a future must not block, nor compute for long: use the Async forms, or "
                + "NodeOptions.withExecutor";
    }

    /** Whether the program has called a method of jfabric that gives a future, and so never waits. */
    private static boolean begins(StackTraceElement called) {
        if (!called.getClassName().startsWith(OWN)) {
            return false;
        }
        try {
            Class<?> type = Class.forName(called.getClassName(), false, Standstill.class.getClassLoader());
            return Stream.of(type.getDeclaredMethods()).anyMatch(one -> one.getName().equals(called.getMethodName())
                    && CompletableFuture.class.isAssignableFrom(one.getReturnType()));
        } catch (ClassNotFoundException | LinkageError hidden) {
            return false;
        }
    }

    private void pollInItsPlace() {
        if (inItsPlace.incrementAndGet() > MOST) {
            inItsPlace.decrementAndGet();
            return;
        }
        boolean started = false;
        try {
            Aside.start(() -> {
                try {
                    poll.run();
                } finally {
                    inItsPlace.decrementAndGet();
                }
            });
            started = true;
        } finally {
            if (!started) {
                inItsPlace.decrementAndGet();
            }
        }
    }
}
