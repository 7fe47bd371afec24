// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.Counter;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.EscapeHatchImpl;
import io.jfabric.internal.life.Exclusive;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.CntrOps;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** {@link Counter}. */
public final class CounterImpl extends FidObject implements Counter, NativeWaitable {
    private static final Version BYTES_SINCE = new Version(1, 21);

    /** Whether a provider has replaced the way in which everybody waits by its own. */
    private static volatile boolean waitsReplaced;

    private final CounterAttributes attributes;
    private final WaitObject opened;
    private final DomainState domain;
    private final CntrOps ops;
    private final CounterRoles roles;
    private final CountedEndpoints counted = new CountedEndpoints(this);
    private volatile boolean waitsByPolling;

    private CounterImpl(DomainState domain, long handle, CounterAttributes attributes, WaitObject opened) {
        super(domain.object(), handle);
        this.ops = new CntrOps(handle);
        this.attributes = attributes;
        this.opened = opened;
        this.domain = domain;
        this.roles = new CounterRoles(domain);
        this.waitsByPolling = WaitObjects.polls(domain, opened);
    }

    public DomainState domain() {
        return domain;
    }

    public CounterRoles roles() {
        return roles;
    }

    public CountedEndpoints counted() {
        return counted;
    }

    /** What was counted as done is an error after all. Wakes those who wait, as any error does. */
    void failedAfterAll() {
        call(fid -> {
            ops.add(fid, -1);
            return ops.adderr(fid, 1);
        });
    }

    /** The provider has not counted an error. Waits for nobody who is closing the counter: it may go with the queue. */
    void failedUncounted() {
        long fid = entry().enter();
        if (fid != 0) {
            try {
                ops.adderr(fid, 1);
            } finally {
                entry().leave();
            }
        }
    }

    public static CounterImpl open(DomainState domain, CounterAttributes attributes, FidObject waitSet) {
        if (attributes.events() == CounterAttributes.Events.BYTES) {
            Known.require("fi_cntr_open", "counting bytes", BYTES_SINCE);
            if (domain.quirks().has(Quirk.BYTES_UNCOUNTED)) {
                throw FabricException.of("fi_cntr_open", Errno.ENOSYS, "provider " + domain.info().provider()
                        + " would count operations, not bytes: use CounterAttributes.Events.COMPLETIONS");
            }
        }
        if (waitSet == null && attributes.waitObject() == WaitObject.FD) {
            WaitObjects.refuseIfSignalsFillUp("fi_cntr_open", domain.info().provider(), domain.quirks(),
                    "WaitObject.UNSPEC, or the file descriptors of queues");
        }
        return WaitObjectOffers.open(attributes.waitObject(), waitSet, domain.info().provider(),
                object -> open(domain, attributes, object, waitSet));
    }

    private static CounterImpl open(DomainState domain, CounterAttributes attributes, WaitObject object,
            FidObject waitSet) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_cntr_attr.layout());
            fi_cntr_attr.events(attr, attributes.events().ordinal());
            fi_cntr_attr.wait_obj(attr, (int) object.code());
            waitsReplaced |= domain.quirks().has(Quirk.REPLACES_COUNTER_WAITS);
            return domain.open("fi_cntr_open", (d, result) -> {
                fi_cntr_attr.wait_set(attr, WaitObjects.set(domain.object(), waitSet));
                return DomainOps.cntrOpen(d, attr.address(), result, 0);
            }, handle -> WaitObjects.using(new CounterImpl(domain, handle, attributes, object), waitSet));
        }
    }

    /** Throws unless the provider can wait for the threshold. */
    public void checkThreshold(String operation, long threshold) {
        if (isTooHigh(threshold)) {
            throw new IllegalArgumentException(operation + ": threshold " + Long.toUnsignedString(threshold)
                    + ": provider " + domain.info().provider() + " compares 32 bits of it with a sign, and would start "
                    + "at once; use " + Integer.MAX_VALUE + " at most");
        }
    }

    private boolean isTooHigh(long threshold) {
        return threshold >>> 31 != 0 && domain.quirks().has(Quirk.COUNTERS_ARE_INTS);
    }

    /** Throws unless the provider has room for a value that is to be set. */
    public void checkValue(String operation, long value) {
        if (value >>> 31 != 0) {
            checkWidth(operation, value);
        }
    }

    /** The same for a value that is to be added, which may be negative. */
    public void checkAdded(String operation, long value) {
        if (value != (int) value) {
            checkWidth(operation, value);
        }
    }

    private void checkWidth(String operation, long value) {
        if (domain.quirks().has(Quirk.COUNTERS_ARE_INTS)) {
            throw new IllegalArgumentException(operation + ": " + value + ": provider " + domain.info().provider()
                    + " counts in 32 bits, with a sign, and would lose the others; use " + Integer.MAX_VALUE
                    + " at most");
        }
    }

    @Override
    public CounterAttributes attributes() {
        return attributes;
    }

    @Override
    public WaitObject requestedWaitObject() {
        return opened;
    }

    @Override
    public long read() {
        long fid = entry().enter();
        if (fid == 0) {
            throw unusable();
        }
        try {
            Exclusive receiving = domain.receiving();
            Exclusive.enter(receiving);
            try {
                return ops.read(fid);
            } finally {
                Exclusive.leave(receiving);
            }
        } finally {
            entry().leave();
        }
    }

    /** Makes operations progress, as {@link #read} does. */
    @Override
    public long readErrors() {
        return call(fid -> {
            Exclusive receiving = domain.receiving();
            Exclusive.enter(receiving);
            try {
                return ops.readerr(fid);
            } finally {
                Exclusive.leave(receiving);
            }
        });
    }

    @Override
    public void add(long value) {
        checkAdded("fi_cntr_add", value);
        check("fi_cntr_add", call(fid -> value == 0 ? ops.add(fid, 0)
                : domain.pendingTriggers().set(this, () -> ops.add(fid, value))), null);
    }

    @Override
    public void set(long value) {
        checkValue("fi_cntr_set", value);
        check("fi_cntr_set", call(fid -> domain.pendingTriggers().set(this, () -> ops.set(fid, value))), null);
    }

    @Override
    public void addErrors(long value) {
        checkAdded("fi_cntr_adderr", value);
        check("fi_cntr_adderr", call(fid -> ops.adderr(fid, value)), null);
    }

    @Override
    public void setErrors(long value) {
        checkValue("fi_cntr_seterr", value);
        check("fi_cntr_seterr", call(fid -> ops.seterr(fid, value)), null);
    }

    @Override
    public Flags<OperationFlag> operationFlags() {
        return Flags.ofBits(OperationFlag.class,
                EscapeHatchImpl.flags(this, "FI_GETOPSFLAG", Libfabric.FI_GETOPSFLAG(), 0));
    }

    @Override
    public void setOperationFlags(Flags<OperationFlag> flags) {
        Known.require(flags, "operation flags");
        EscapeHatchImpl.flags(this, "FI_SETOPSFLAG", Libfabric.FI_SETOPSFLAG(), flags.bits());
    }

    @Override
    public boolean await(long threshold, Duration timeout) {
        handle();
        WaitObjects.requireWaitable("fi_cntr_wait", opened);
        Idle idle = new Idle(timeout);
        boolean polls = isTooHigh(threshold) || domain.quirks().has(Quirk.COUNTER_WAITS_USE_UP);
        long errors = readErrors();
        while (Long.compareUnsigned(read(), threshold) < 0) {
            if (readErrors() != errors) {
                throw failed(-Errno.EAVAIL);
            }
            if (idle.isOver() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (polls || waitsByPolling || waitsReplaced) {
                idle.pause();
            } else if (!waitInProvider(threshold, idle.slice(Idle.SHORT_SLICE))) {
                idle.pause();
            }
        }
        return true;
    }

    /** False if the provider says that something has failed; some also say so if errors are set to what they are. */
    private boolean waitInProvider(long threshold, int millis) {
        // an endpoint may have been closed since the decision to wait
        int result = call(fid -> waitsByPolling ? -Errno.EAGAIN : ops.await(fid, threshold, millis));
        // with libfabric 1.17 a provider returns +ETIMEDOUT; the caller repeats a wait that ends early
        if (result < 0 && result != -Errno.ETIMEDOUT && result != -Errno.EINTR && result != -Errno.EAGAIN
                && result != -Errno.EAVAIL) {
            throw failed(result);
        }
        return result != -Errno.EAVAIL;
    }

    private static FabricException failed(int result) {
        return FabricException.of("fi_cntr_wait", result, switch (result) {
            case -Errno.ENOSYS -> "open the counter with WaitObject.UNSPEC";
            case -Errno.EAVAIL -> "an operation failed; readErrors() counts them, the completion queue says why";
            default -> null;
        });
    }

    @Override
    protected void closing() {
        domain.pendingTriggers().checkClosable(this);
    }

    @Override
    public void pollOnly() {
        waitsByPolling = true;
        eachUsed(used -> WaitObjects.pollOnly(used));
    }

    @Override
    public boolean isPollOnly() {
        return waitsByPolling;
    }

    @Override
    public String kind() {
        return "counter";
    }

    @Override
    protected int closeRank() {
        return CloseRank.QUEUE;
    }
}
