// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async;

/** Operations that are over and whose futures are to be completed, in order; linked by their {@code next}. */
final class Done implements Runnable {
    private Operation<?> head;
    private Operation<?> tail;

    void add(Operation<?> operation) {
        operation.next = null;
        if (tail == null) {
            head = operation;
        } else {
            tail.next = operation;
        }
        tail = operation;
    }

    boolean isEmpty() {
        return head == null;
    }

    /** All of them, as a list of its own; this one is then empty. */
    Operation<?> take() {
        Operation<?> all = head;
        head = null;
        tail = null;
        return all;
    }

    /** Completes the futures. Holds nothing meanwhile: what is appended to them may do anything. */
    static void finish(Operation<?> all) {
        Operation<?> operation = all;
        while (operation != null) {
            Operation<?> after = operation.next;
            operation.next = null;
            try {
                operation.finish();
            } catch (Throwable e) {
                // an error of the JVM's, as a rule: the others end nevertheless
                finish(after);
                throw e;
            }
            operation = after;
        }
    }

    @Override
    public void run() {
        finish(take());
    }
}
