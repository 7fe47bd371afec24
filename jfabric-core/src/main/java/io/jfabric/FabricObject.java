// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FidOps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open object of libfabric's ({@code struct fid}).
 *
 * <p>Closing an object closes what was opened from it, in an order libfabric accepts. Closing again does nothing;
 * every other method then throws {@link IllegalStateException}. Opening and closing may happen in any thread, but an
 * object must not be closed while another thread is inside one of its methods.
 */
public abstract class FabricObject implements AutoCloseable {
    /** The {@code struct fid}; 0 once closed. Read without synchronisation on the data path. */
    private long handle;
    private final FabricObject parent;
    private final Object lock;
    /** Of the root: all that is open below it, by handle. */
    private final Map<Long, FabricObject> open;
    private final Set<FabricObject> children = new LinkedHashSet<>();
    /** What this is bound to, and what is bound to this: rxm frees a busy queue although it answers -FI_EBUSY. */
    private final Set<FabricObject> uses = new LinkedHashSet<>();
    private final Set<FabricObject> users = new LinkedHashSet<>();

    FabricObject(FabricObject parent, long handle) {
        this.parent = parent;
        this.handle = handle;
        this.lock = parent == null ? new Object() : parent.lock;
        this.open = parent == null ? new ConcurrentHashMap<>() : parent.open;
        open.put(handle, this);
        if (parent != null) {
            synchronized (lock) {
                parent.children.add(this);
            }
        }
    }

    /** What C calls the object, for messages. */
    abstract String kind();

    /** Among siblings, lower ranks are closed first. */
    int closeRank() {
        return 0;
    }

    /** Called before the object is closed, which may still fail. */
    void closing() {
    }

    /** Called once the object is closed; releases what jfabric itself keeps for it. */
    void closed() {
    }

    /** The open object of this fabric with that address; null if there is none. */
    final FabricObject find(long fid) {
        return open.get(fid);
    }

    final long handle() {
        long h = handle;
        if (h == 0) {
            throw new IllegalStateException("the " + kind() + " is closed");
        }
        return h;
    }

    /** The handle, or 0 once closed. */
    final long handleOrZero() {
        return handle;
    }

    /**
     * Tells whether the object can be used.
     *
     * @return false once it is closed
     */
    public final boolean isOpen() {
        return handle != 0;
    }

    /**
     * Closes the object and everything opened from it ({@code fi_close}).
     *
     * @throws FabricException {@code FI_EBUSY} if something else still uses it; it then stays open and can be closed
     *     again later
     */
    @Override
    public final void close() {
        synchronized (lock) {
            if (handle == 0) {
                return;
            }
            List<FabricObject> owned = new ArrayList<>(children);
            Collections.reverse(owned);
            owned.sort(Comparator.comparingInt(FabricObject::closeRank));
            owned.forEach(FabricObject::close);
            if (!users.isEmpty()) {
                throw FabricException.of("fi_close(" + kind() + ")", Errno.EBUSY, "bound to " + users);
            }
            closing();
            check("fi_close(" + kind() + ")", FidOps.close(handle), null);
            open.remove(handle, this);
            handle = 0;
            if (parent != null) {
                parent.children.remove(this);
            }
            uses.forEach(used -> used.users.remove(this));
            uses.clear();
            closed();
        }
    }

    /** Binds another object to this one. */
    final void bind(String operation, FabricObject other, long flags) {
        Objects.requireNonNull(other, operation + ": the object to bind is null");
        synchronized (lock) {
            check(operation, FidOps.bind(handle(), other.handle(), flags),
                    "binding a " + other.kind() + " to a " + kind());
            uses.add(other);
            other.users.add(this);
        }
    }

    /** Turns a negative result into an exception. */
    static void check(String operation, long result, String detail) {
        if (result < 0) {
            throw FabricException.of(operation, result, detail);
        }
    }

    /** Kind and address, for people. */
    @Override
    public String toString() {
        return kind() + (handle == 0 ? " (closed)" : "@0x" + Long.toHexString(handle));
    }
}
