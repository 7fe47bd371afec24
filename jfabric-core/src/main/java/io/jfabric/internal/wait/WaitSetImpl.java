// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.wait;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.EventQueue;
import io.jfabric.FabricException;
import io.jfabric.bindings.fi_wait_attr;
import io.jfabric.internal.connect.EventQueueImpl;
import io.jfabric.internal.connect.FabricState;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.domain.FabricImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.FabricOps;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.ffi.WaitOps;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.queue.NativeWaitable;
import io.jfabric.internal.queue.Timeouts;
import io.jfabric.internal.queue.WaitObjects;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.wait.WaitSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Objects;

/** {@link WaitSet}. */
@Deprecated
public final class WaitSetImpl extends FidObject implements WaitSet, NativeWaitable {
    private final FabricState fabric;
    private final WaitObject opened;

    private WaitSetImpl(FabricState fabric, long handle, WaitObject opened) {
        super(fabric.object(), handle);
        this.fabric = fabric;
        this.opened = opened;
    }

    public static WaitSetImpl open(FabricState fabric, WaitObject object) {
        Objects.requireNonNull(object, "fi_wait_open: the wait object is null");
        if (object == WaitObject.NONE || object == WaitObject.SET) {
            throw new IllegalArgumentException("fi_wait_open: waitObject " + object + " cannot be waited for; use "
                    + "UNSPEC or FD");
        }
        if (WaitObjects.ignoresTimeout(fabric.provider(), object)) {
            throw FabricException.of("fi_wait_open", Errno.ENOSYS, "wait sets of " + fabric.provider()
                    + " never time out in libfabric " + FabricImpl.version() + ", a thread could wait for ever");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_wait_attr.layout());
            fi_wait_attr.wait_obj(attr, (int) object.code());
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check("fi_wait_open", FabricOps.waitOpen(fabric.handle(), attr.address(), result.address()),
                    "provider " + fabric.provider());
            return new WaitSetImpl(fabric, result.get(ValueLayout.JAVA_LONG, 0), object);
        }
    }

    @Override
    public CompletionQueue openCompletionQueue(Domain domain, CompletionQueueAttributes attributes) {
        return CompletionQueueImpl.open(state("fi_cq_open", domain),
                Objects.requireNonNull(attributes, "fi_cq_open: the attributes are null"), this);
    }

    @Override
    public Counter openCounter(Domain domain, CounterAttributes attributes) {
        return CounterImpl.open(state("fi_cntr_open", domain),
                Objects.requireNonNull(attributes, "fi_cntr_open: the attributes are null"), this);
    }

    @Override
    public EventQueue openEventQueue(EventQueueAttributes attributes) {
        return EventQueueImpl.open(fabric,
                Objects.requireNonNull(attributes, "fi_eq_open: the attributes are null"), this);
    }

    private DomainState state(String operation, Domain domain) {
        DomainImpl domainImpl = (DomainImpl) Objects.requireNonNull(domain, operation + ": the domain is null");
        handle();
        requireRelated(operation, domainImpl);
        return domainImpl.state();
    }

    @Override
    public boolean await(Duration timeout) {
        int result = WaitOps.await(handle(), Timeouts.millis(timeout));
        if (result == -Errno.ETIMEDOUT || result == -Errno.EAGAIN || result == -Errno.EINTR) {
            return false;
        }
        check("fi_wait", result, null);
        return true;
    }

    @Override
    public WaitObject requestedWaitObject() {
        return opened;
    }

    @Override
    public String kind() {
        return "wait set";
    }

    @Override
    public int closeRank() {
        return CloseRank.WAIT_SET;
    }
}
