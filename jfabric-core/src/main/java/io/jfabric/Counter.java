// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.ffi.CntrOps;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.NativeLibrary;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Counts completed operations without saying which (fi_cntr(3)). Values are unsigned; some providers count in 32 bits.
 * Thread-safe as far as the domain's threading level is.
 */
public final class Counter extends FabricObject implements Waitable {
    private static final Version BYTES_SINCE = new Version(1, 21);

    private final CounterAttributes attributes;
    private final WaitObject opened;
    private final Domain domain;
    private final boolean waitsByPolling;

    private Counter(Domain domain, long handle, CounterAttributes attributes, WaitObject opened) {
        super(domain, handle);
        this.attributes = attributes;
        this.opened = opened;
        this.domain = domain;
        this.waitsByPolling = WaitObjects.ignoresTimeout(domain.info().provider(), opened);
    }

    static Counter open(Domain domain, CounterAttributes attributes, long waitSet) {
        if (attributes.events() == CounterAttributes.Events.BYTES && !NativeLibrary.knows(BYTES_SINCE)) {
            throw FabricException.of("fi_cntr_open", Errno.ENOSYS, "counting bytes needs libfabric " + BYTES_SINCE
                    + " or newer; loaded is " + NativeLibrary.version());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_cntr_attr.allocate(arena);
            fi_cntr_attr.events(attr, attributes.events().ordinal());
            WaitObject object = waitSet == 0 ? attributes.waitObject() : WaitObject.SET;
            fi_cntr_attr.wait_obj(attr, (int) object.code());
            fi_cntr_attr.wait_set(attr, MemorySegment.ofAddress(waitSet));
            return new Counter(domain, domain.open("fi_cntr_open", (d, result) ->
                    DomainOps.cntrOpen(d, attr.address(), result, 0)), attributes, object);
        }
    }

    /**
     * What the counter was opened with.
     *
     * @return the attributes
     */
    public CounterAttributes attributes() {
        return attributes;
    }

    @Override
    public WaitObject requestedWaitObject() {
        return opened;
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
     * The default flags of operations on the counter ({@code FI_GETOPSFLAG}).
     *
     * @return the flags
     * @throws FabricException {@code FI_ENOSYS} where the provider has none
     */
    public Flags<OperationFlag> operationFlags() {
        return Flags.ofBits(OperationFlag.class, controlFlags("FI_GETOPSFLAG", Libfabric.FI_GETOPSFLAG(), 0));
    }

    /**
     * Changes the default flags of operations on the counter ({@code FI_SETOPSFLAG}). Not while other threads use it.
     *
     * @param flags the flags
     * @throws FabricException {@code FI_ENOSYS} where the provider has none
     */
    public void setOperationFlags(Flags<OperationFlag> flags) {
        flags.requireKnown("operation flags");
        controlFlags("FI_SETOPSFLAG", Libfabric.FI_SETOPSFLAG(), flags.bits());
    }

    /**
     * Waits until the value reaches a threshold ({@code fi_cntr_wait}). The counter must have been opened with a wait
     * object. Where the provider's own wait is known to ignore its time-out, this polls instead.
     *
     * @param threshold the value to wait for
     * @param timeout how long
     * @return true if it was reached, false if the time is up
     * @throws FabricException {@code FI_EAVAIL} if an operation failed meanwhile
     */
    public boolean await(long threshold, Duration timeout) {
        long fid = handle();
        WaitObjects.requireWaitable("fi_cntr_wait", opened);
        Idle idle = new Idle(timeout);
        long errors = CntrOps.readerr(fid);
        boolean polls = waitsByPolling;
        while (Long.compareUnsigned(CntrOps.read(fid), threshold) < 0) {
            if (CntrOps.readerr(fid) != errors) {
                throw failed(-Errno.EAVAIL);
            }
            if (idle.isOver()) {
                return false;
            }
            if (polls) {
                idle.pause();
            } else {
                waitInProvider(fid, threshold, idle.millisLeft());
            }
        }
        return true;
    }

    private void waitInProvider(long fid, long threshold, int millis) {
        int result = CntrOps.await(fid, threshold, millis);
        // sockets of 1.17 returns +ETIMEDOUT; a wait that ends early is repeated by the caller
        if (result < 0 && result != -Errno.ETIMEDOUT && result != -Errno.EINTR && result != -Errno.EAGAIN) {
            throw failed(result);
        }
    }

    private static FabricException failed(int result) {
        return FabricException.of("fi_cntr_wait", result, switch (result) {
            case -Errno.ENOSYS -> "open the counter with WaitObject.UNSPEC";
            case -Errno.EAVAIL -> "an operation failed; readErrors() counts them, the completion queue says why";
            default -> null;
        });
    }

    @Override
    void closing() {
        domain.pendingTriggers().checkClosable(this);
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
