// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.ffi.CntrOps;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Counts completed operations without saying which (fi_cntr(3)). Thread-safe as far as the domain's threading level
 * is.
 */
public final class Counter extends FabricObject {
    private Counter(Domain domain, long handle) {
        super(domain, handle);
    }

    static Counter open(Domain domain, CounterAttributes attributes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_cntr_attr.allocate(arena);
            fi_cntr_attr.events(attr, attributes.events().ordinal());
            fi_cntr_attr.wait_obj(attr, (int) attributes.waitObject().code());
            return new Counter(domain, domain.open("fi_cntr_open", (d, result) ->
                    DomainOps.cntrOpen(d, attr.address(), result, 0)));
        }
    }

    /**
     * The value ({@code fi_cntr_read}). Drives progress.
     *
     * @return how many operations succeeded
     */
    public long read() {
        return CntrOps.read(handle());
    }

    /**
     * The number of failures ({@code fi_cntr_readerr}).
     *
     * @return how many operations failed
     */
    public long readErrors() {
        return CntrOps.readerr(handle());
    }

    /**
     * Adds to the value ({@code fi_cntr_add}).
     *
     * @param value what to add
     */
    public void add(long value) {
        check("fi_cntr_add", CntrOps.add(handle(), value), null);
    }

    /**
     * Sets the value ({@code fi_cntr_set}).
     *
     * @param value the new value
     */
    public void set(long value) {
        check("fi_cntr_set", CntrOps.set(handle(), value), null);
    }

    /**
     * Adds to the number of failures ({@code fi_cntr_adderr}).
     *
     * @param value what to add
     */
    public void addErrors(long value) {
        check("fi_cntr_adderr", CntrOps.adderr(handle(), value), null);
    }

    /**
     * Sets the number of failures ({@code fi_cntr_seterr}).
     *
     * @param value the new value
     */
    public void setErrors(long value) {
        check("fi_cntr_seterr", CntrOps.seterr(handle(), value), null);
    }

    /**
     * Waits until the value reaches a threshold ({@code fi_cntr_wait}). The counter must have been opened with a wait
     * object.
     *
     * @param threshold the value to wait for
     * @param timeout how long
     * @return true if it was reached, false if the time is up
     * @throws FabricException {@code FI_EAVAIL} if an operation failed meanwhile
     */
    public boolean await(long threshold, Duration timeout) {
        int result = CntrOps.await(handle(), threshold, Timeouts.millis(timeout));
        // sockets of 1.17 returns +ETIMEDOUT
        if (Math.abs(result) == Errno.ETIMEDOUT) {
            return false;
        }
        check("fi_cntr_wait", result, result == -Errno.ENOSYS ? "open the counter with WaitObject.UNSPEC" : null);
        return true;
    }

    @Override
    String kind() {
        return "counter";
    }

    @Override
    int closeRank() {
        return CloseRank.QUEUE;
    }
}
