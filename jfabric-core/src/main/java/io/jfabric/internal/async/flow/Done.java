// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Remaining;
import io.jfabric.internal.ffi.Log;
import java.util.List;

/** Operations that are over and whose futures are to be completed, in order; linked by their {@code next}. */
public final class Done {
    private static final Log LOG = Log.of("io.jfabric.async.Node");

    private Operation<?> head;
    private Operation<?> tail;

    public void add(Operation<?> operation) {
        operation.next = null;
        if (tail == null) {
            head = operation;
        } else {
            tail.next = operation;
        }
        tail = operation;
    }

    public boolean isEmpty() {
        return head == null;
    }

    /** All of them, as a list of its own; this one is then empty. */
    public Operation<?> take() {
        Operation<?> all = head;
        head = null;
        tail = null;
        return all;
    }

    /**
     * Completes the futures. Holds no lock: what is appended to them may do anything. What that throws, mostly errors
     * of the JVM, must not affect the others, nor the thread, which works for all.
     */
    public static void finish(Operation<?> all) {
        if (all == null) {
            return;
        }
        if (all.next == null) {
            finishOne(all);
            return;
        }
        Done rest = new Done();
        rest.head = all;
        Remaining.completeAll(rest::finishFirst);
    }

    private boolean finishFirst() {
        Operation<?> first = head;
        if (first == null) {
            return false;
        }
        head = first.next;
        first.next = null;
        finishOne(first);
        return true;
    }

    private static void finishOne(Operation<?> operation) {
        try {
            operation.finish();
        } catch (Throwable e) {
            failed(operation, e);
        }
    }

    /** As above, if the program has given an executor: for its operations, not for the node's own. */
    public static void finish(Operation<?> all, Completing completing) {
        Operation<?> own = lineUp(all, List.of(), completing);
        // the executor may run its tasks in this thread
        Completing.runAll(List.of(completing::startAll, () -> finish(own)));
    }

    /**
     * Lines up the completion of the program's operations, and then these actions, for when the executor is told to
     * start. Returns the node's own operations.
     */
    public static Operation<?> lineUp(Operation<?> all, List<Runnable> then, Completing completing) {
        Done own = new Done();
        Done programs = new Done();
        for (Operation<?> operation = all; operation != null;) {
            Operation<?> after = operation.next;
            (operation.isOwn() ? own : programs).add(operation);
            operation = after;
        }
        // two tasks: what is appended to one of these operations may wait for the actions
        if (!programs.isEmpty()) {
            Operation<?> theirs = programs.take();
            completing.lineUp(() -> finish(theirs));
        }
        if (!then.isEmpty()) {
            completing.lineUp(() -> Completing.runAll(then));
        }
        return own.take();
    }

    private static void failed(Operation<?> operation, Throwable why) {
        try {
            endAndTell(operation, why);
        } catch (Throwable again) {
            // nothing more can be done in this thread
        }
    }

    /** Logs last: there may be no memory or stack left for that. */
    private static void endAndTell(Operation<?> operation, Throwable why) {
        try {
            if (!operation.isPostedAgain()) {
                // usually it is done, but not all that was appended to it has been run
                operation.end(why);
            }
        } finally {
            LOG.error("what follows on the end of an operation has failed: {}", operation.described(), why);
        }
    }
}
