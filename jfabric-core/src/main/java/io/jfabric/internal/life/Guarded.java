// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/** An object that a closer can keep others out of. Its {@code toString} is used in messages. */
public interface Guarded {
    /** The way into it; always the same. */
    Entry entry();

    /**
     * Ends the native waits that threads are in ({@code fi_cq_signal}). Called by the closer, maybe repeatedly, while
     * there are threads in {@link Entry#enterToWait}; the object is open. It must not block, nor enter what is parked
     * otherwise than through its own entry. Nothing by default: then the deadline decides.
     */
    default void wake() {
    }
}
