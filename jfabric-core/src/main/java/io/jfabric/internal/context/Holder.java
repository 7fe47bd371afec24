// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/** What an operation keeps if it is neither a segment nor several of them: says which memory the operation uses. */
public interface Holder {
    /** The memory, in a form that {@link KeptMemory} knows; null for none. */
    Object buffers();

    /** Whether the operation is known to be over although no completion was seen. */
    default boolean isOver() {
        return false;
    }
}
