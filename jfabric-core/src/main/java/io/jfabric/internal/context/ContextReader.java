// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/** A completion queue, to which contexts that are addresses come back. */
public interface ContextReader {
    boolean isOpen();

    QueueRoom room();

    /**
     * An endpoint was closed, and the queue may still tell of its operations: once it is empty it says so, see
     * {@link ContextRegistry#emptied}. No thread is in it.
     */
    void sayWhenEmpty();
}
