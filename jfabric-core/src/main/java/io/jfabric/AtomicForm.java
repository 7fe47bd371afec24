// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/** The forms of atomic operations, of which a provider may have more or fewer combinations (fi_atomic(3)). */
public enum AtomicForm implements FabricConstant {
    /** Changes the target ({@link Atomics#apply}). */
    BASE(0, "0"),
    /** Also returns what was there ({@link Atomics#fetchAndApply}). */
    FETCH(Libfabric.FI_FETCH_ATOMIC(), "FI_FETCH_ATOMIC"),
    /** Changes the target if a comparison holds, and returns what was there ({@link Atomics#compareAndApply}). */
    COMPARE(Libfabric.FI_COMPARE_ATOMIC(), "FI_COMPARE_ATOMIC"),
    /** Changes a tagged receive buffer. Only {@link Domain#queryAtomic} knows it. */
    TAGGED(Libfabric.FI_TAGGED(), "FI_TAGGED");

    private final long code;
    private final String nativeName;

    AtomicForm(long code, String nativeName) {
        this.code = code;
        this.nativeName = nativeName;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return nativeName;
    }
}
