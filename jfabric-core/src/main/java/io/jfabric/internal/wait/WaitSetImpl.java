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
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.FabricOps;
import io.jfabric.internal.ops.WaitOps;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.queue.CqAttr;
import io.jfabric.internal.queue.Idle;
import io.jfabric.internal.queue.NativeWaitable;
import io.jfabric.internal.queue.WaitObjects;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.wait.WaitSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;

/** {@link WaitSet}. */
@Deprecated
public final class WaitSetImpl extends FidObject implements WaitSet, NativeWaitable {
    /** Not a result of libfabric: the objects have to be polled. */
    private static final int UNASKED = Integer.MIN_VALUE;

    private final FabricState fabric;
    private final WaitObject opened;
    private volatile boolean pollOnly;

    private WaitSetImpl(FabricState fabric, long handle, WaitObject opened) {
        super(fabric.object(), handle);
        this.fabric = fabric;
        this.opened = opened;
    }

    public static WaitSetImpl open(FabricState fabric, WaitObject object) {
        if (object == WaitObject.NONE || object == WaitObject.SET) {
            throw new IllegalArgumentException("fi_wait_open: waitObject " + object + " cannot be waited for; use "
                    + "UNSPEC or FD");
        }
        if (WaitObjects.ignoresTimeout(fabric.quirks(), object)) {
            throw FabricException.of("fi_wait_open", Errno.ENOSYS, "wait sets of " + fabric.provider()
                    + " never time out in libfabric " + FabricImpl.version() + ", a thread could wait forever");
        }
        WaitObjects.refuseIfSignalsFillUp("fi_wait_open", fabric.provider(), fabric.quirks(),
                "queues and counters with WaitObject.UNSPEC and wait for each, or the file descriptors of queues");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_wait_attr.layout());
            fi_wait_attr.wait_obj(attr, (int) object.code());
            return fabric.open("fi_wait_open", (f, result) -> FabricOps.waitOpen(f, attr.address(), result),
                    set -> new WaitSetImpl(fabric, set, object), null);
        }
    }

    @Override
    public CompletionQueue openCompletionQueue(Domain domain, CompletionQueueAttributes attributes) {
        DomainState state = ((DomainImpl) Objects.requireNonNull(domain, "domain")).state();
        return joined(CqAttr.open(state, Objects.requireNonNull(attributes, "attributes"), this));
    }

    @Override
    public Counter openCounter(Domain domain, CounterAttributes attributes) {
        DomainState state = ((DomainImpl) Objects.requireNonNull(domain, "domain")).state();
        return joined(CounterImpl.open(state, Objects.requireNonNull(attributes, "attributes"), this));
    }

    /** Threads that already wait in the provider would poll what must not be polled there: after this none does. */
    private <T extends NativeWaitable> T joined(T object) {
        if (object.isPollOnly()) {
            alone(() -> { });
        }
        return object;
    }

    @Override
    public EventQueue openEventQueue(EventQueueAttributes attributes) {
        return EventQueueImpl.open(fabric, Objects.requireNonNull(attributes, "attributes"), this);
    }

    @Override
    public boolean await(Duration timeout) {
        Idle idle = new Idle(timeout);
        while (true) {
            int millis = idle.slice(Idle.SHORT_SLICE);
            // asked in here, where no endpoint is closed meanwhile
            int result = call(set -> isPollOnly() ? UNASKED : WaitOps.await(set, millis));
            if (result == UNASKED) {
                idle.restWithin();
                return !Thread.currentThread().isInterrupted();
            }
            if (result != -Errno.ETIMEDOUT && result != -Errno.EAGAIN && result != -Errno.EINTR) {
                check("fi_wait", result, null);
                return true;
            }
            if (idle.isOver() || Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
    }

    @Override
    public WaitObject requestedWaitObject() {
        return opened;
    }

    @Override
    public void pollOnly() {
        pollOnly = true;
    }

    /** Also as long as one of its objects cannot be waited for. */
    @Override
    public boolean isPollOnly() {
        boolean[] only = {pollOnly};
        eachUser(user -> only[0] |= user instanceof NativeWaitable waitable && waitable.isPollOnly());
        return only[0];
    }

    @Override
    public String kind() {
        return "wait set";
    }

    @Override
    protected int closeRank() {
        return CloseRank.WAIT_SET;
    }
}
