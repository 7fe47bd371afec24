// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_wait_attr;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FabricOps;
import io.jfabric.ffi.WaitOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * Queues and counters that threads wait for together (fi_poll(3)). Objects join when they are opened: see
 * {@link Domain#openCompletionQueue(CompletionQueueAttributes, WaitSet)} and its like. Thread-safe.
 *
 * @deprecated as in libfabric: wait for file descriptors, with {@link FdWaiter}
 */
@Deprecated
public final class WaitSet extends FabricObject implements Waitable {
    private final WaitObject opened;

    private WaitSet(Fabric fabric, long handle, WaitObject opened) {
        super(fabric, handle);
        this.opened = opened;
    }

    static WaitSet open(Fabric fabric, WaitObject object) {
        if (object == WaitObject.NONE || object == WaitObject.SET) {
            throw new IllegalArgumentException("fi_wait_open: waitObject " + object + " cannot be waited for; use "
                    + "UNSPEC or FD");
        }
        if (WaitObjects.ignoresTimeout(fabric.provider(), object)) {
            throw FabricException.of("fi_wait_open", Errno.ENOSYS, "wait sets of " + fabric.provider()
                    + " never time out in libfabric " + Fabric.version() + ", a thread could wait for ever");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_wait_attr.allocate(arena);
            fi_wait_attr.wait_obj(attr, (int) object.code());
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check("fi_wait_open", FabricOps.waitOpen(fabric.handle(), attr.address(), result.address()),
                    "provider " + fabric.provider());
            return new WaitSet(fabric, result.get(ValueLayout.JAVA_LONG, 0), object);
        }
    }

    /**
     * Waits until one of the objects has something to read ({@code fi_wait}).
     *
     * @param timeout how long
     * @return false if the time is up
     */
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
    String kind() {
        return "wait set";
    }

    @Override
    int closeRank() {
        return CloseRank.WAIT_SET;
    }
}
