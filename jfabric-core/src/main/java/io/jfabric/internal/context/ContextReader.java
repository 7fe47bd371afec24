// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/** A completion queue, as the place where contexts that are addresses come back. */
public interface ContextReader {
    boolean isOpen();

    QueueRoom room();

    /**
     * An endpoint was closed, and the queue may still report its operations: once it is empty it says so, see
     * {@link ContextRegistry#emptied}. No thread is in the queue.
     */
    void sayWhenEmpty();
}
