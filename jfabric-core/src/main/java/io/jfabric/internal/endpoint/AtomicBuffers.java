// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.context.Holder;
import java.lang.foreign.MemorySegment;

/** Keeps the buffers of one operation reachable through one object. */
final class AtomicBuffers {
    private volatile Together last = new Together(null, null, null);

    /** Buffers of one operation that must all stay reachable. */
    private record Together(Object operand, Object comparand, Object result) implements Holder {
        @Override
        public Object buffers() {
            return new Object[] {operand, comparand, result};
        }
    }

    /**
     * Allocates nothing if the last operation had the same buffers, or if all are of one arena, which stays as a whole
     * while an operation keeps any part of it.
     */
    Object together(MemorySegment operand, MemorySegment comparand, MemorySegment result) {
        if (operand.scope() == result.scope() && comparand.scope() == result.scope()) {
            return result;
        }
        Together t = last;
        if (t.operand != operand || t.comparand != comparand || t.result != result) {
            t = new Together(operand, comparand, result);
            last = t;
        }
        return t;
    }
}
