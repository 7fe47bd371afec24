// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_fid_var;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FidOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * An open object of libfabric's ({@code struct fid}).
 *
 * <p>Closing an object closes what was opened from it, in an order libfabric accepts. Closing again does nothing;
 * every other method then throws {@link IllegalStateException}. Opening and closing may happen in any thread, but an
 * object must not be closed while another thread is inside one of its methods.
 */
public abstract class FabricObject implements AutoCloseable {
    /** The {@code struct fid}; 0 once closed. */
    private long fid;
    /** The same, but 0 also while an endpoint is not enabled. Read without synchronisation on the data path. */
    private long handle;
    private final FabricObject parent;
    private final Object lock;
    /** Of the root: all that is open below it, by handle. */
    private final Map<Long, FabricObject> open;
    private final Set<FabricObject> children = new LinkedHashSet<>();
    /** What this is bound to, and what is bound to this: rxm frees a busy queue although it answers -FI_EBUSY. */
    private final Set<FabricObject> uses = new LinkedHashSet<>();
    /** Few, and gone through by threads that must not wait for the lock. */
    private final Set<FabricObject> users = new CopyOnWriteArraySet<>();

    FabricObject(FabricObject parent, long fid) {
        this.parent = parent;
        this.fid = fid;
        this.handle = fid;
        this.lock = parent == null ? new Object() : parent.lock;
        this.open = parent == null ? new ConcurrentHashMap<>() : parent.open;
        open.put(fid, this);
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

    /** Called before what was opened from this is closed. */
    void closingChildren() {
    }

    /** Called before the object is closed, which may still fail. */
    void closing() {
    }

    /** Whether the provider takes the object apart even if it then answers that it is busy. */
    boolean failsForGood() {
        return false;
    }

    /** Called once the object is closed; releases what jfabric itself keeps for it. */
    void closed() {
    }

    /** The open object of this fabric with that address; null if there is none. */
    final FabricObject find(long fid) {
        return open.get(fid);
    }

    /** For operations; an endpoint has none until it is enabled. */
    final long handle() {
        long h = handle;
        if (h == 0) {
            throw unusable();
        }
        return h;
    }

    /** For what can be done before an endpoint is enabled. */
    final long fid() {
        long f = fid;
        if (f == 0) {
            throw unusable();
        }
        return f;
    }

    private IllegalStateException unusable() {
        return new IllegalStateException("the " + kind() + (fid == 0 ? " is closed" : " is not enabled: call enable() "
                + "first"));
    }

    /** From here on only what needs no {@link #handle()} works: providers crash on operations before fi_enable. */
    final void takeOutOfService() {
        handle = 0;
    }

    final void putIntoService() {
        handle = fid;
    }

    /**
     * Tells whether the object can be used.
     *
     * @return false once it is closed
     */
    public final boolean isOpen() {
        return fid != 0;
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
            if (fid == 0) {
                return;
            }
            closingChildren();
            List<FabricObject> owned = new ArrayList<>(children);
            Collections.reverse(owned);
            owned.sort(Comparator.comparingInt(FabricObject::closeRank));
            owned.forEach(FabricObject::close);
            if (!users.isEmpty()) {
                throw FabricException.of("fi_close(" + kind() + ")", Errno.EBUSY, "bound to " + users);
            }
            closing();
            long result = FidOps.close(fid);
            if (!failsForGood()) {
                check("fi_close(" + kind() + ")", result, null);
            }
            open.remove(fid, this);
            fid = 0;
            handle = 0;
            if (parent != null) {
                parent.children.remove(this);
            }
            uses.forEach(used -> used.users.remove(this));
            uses.clear();
            closed();
            check("fi_close(" + kind() + ")", result, "what the provider keeps of it is lost, closing it again would "
                    + "free memory twice");
        }
    }

    /** Notes that the other object must stay open as long as this one is. */
    final void uses(FabricObject other) {
        synchronized (lock) {
            if (uses.add(other)) {
                other.users.add(this);
            }
        }
    }

    /** Undoes {@link #uses}. */
    final void usesNoLonger(FabricObject other) {
        synchronized (lock) {
            uses.remove(other);
            other.users.remove(this);
        }
    }

    final boolean isUsed() {
        synchronized (lock) {
            return !users.isEmpty();
        }
    }

    /** The object of that class that is bound to this one; null if there is none. */
    final <T extends FabricObject> T used(Class<T> type) {
        synchronized (lock) {
            return uses.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
        }
    }

    /** For all that this is bound to. */
    final void eachUser(Consumer<FabricObject> action) {
        users.forEach(action);
    }

    /** Binds another object to this one. */
    final void bind(String operation, FabricObject other, long flags) {
        Objects.requireNonNull(other, operation + ": the object to bind is null");
        check(operation, FidOps.bind(fid(), other.fid(), flags), "binding a " + other.kind() + " to a " + kind());
        uses(other);
    }

    /** As {@link #bind}, for what there can be one of: given a second, providers lose count and never let go of one. */
    final void bindOnce(String operation, FabricObject other) {
        Objects.requireNonNull(other, operation + ": the object to bind is null");
        synchronized (lock) {
            for (FabricObject used : uses) {
                if (used.getClass() == other.getClass()) {
                    throw new IllegalStateException(operation + ": the " + kind() + " has its " + used.kind()
                            + " already");
                }
            }
            bind(operation, other, 0);
        }
    }

    /**
     * Any command of {@code fi_control} (fi_control(3)), for those jfabric has no method for. What a command does with
     * the argument is the provider's business: a wrong one can crash the process.
     *
     * @param command the number of the command
     * @param argument native memory that the command reads or writes; null where it takes none
     * @return what the provider answered, at least 0
     */
    public final int control(int command, MemorySegment argument) {
        long address = argument == null ? 0 : Buffers.address("fi_control", argument);
        int result = FidOps.control(fid(), command, address);
        check("fi_control(" + command + ")", result, kind());
        return result;
    }

    /**
     * The flags of the object itself ({@code FI_GETFIDFLAG}), which libfabric names but gives no meaning to: no
     * provider has them yet.
     *
     * @return bits
     * @throws FabricException where the provider has none, mostly {@code FI_ENOSYS}
     */
    public final long fidFlags() {
        return controlFlags("FI_GETFIDFLAG", Libfabric.FI_GETFIDFLAG(), 0);
    }

    /**
     * Sets the flags of the object itself ({@code FI_SETFIDFLAG}); see {@link #fidFlags}.
     *
     * @param flags bits
     * @throws FabricException where the provider has none, mostly {@code FI_ENOSYS}
     */
    public final void setFidFlags(long flags) {
        controlFlags("FI_SETFIDFLAG", Libfabric.FI_SETFIDFLAG(), flags);
    }

    /** A command that takes or gives flags. */
    final long controlFlags(String name, int command, long flags) {
        long address = fid();
        String operation = "fi_control(" + name + ")";
        if (this instanceof CompletionQueue) {
            // most providers follow a null wait object to say that they do not know a command
            throw FabricException.of(operation, Errno.ENOSYS, kind());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, flags);
            check(operation, FidOps.control(address, command, value.address()), kind());
            return value.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Reads a variable of the provider's ({@code fi_get_val}).
     *
     * @param name its number
     * @param value native memory, as long as the provider writes
     */
    public final void getValue(int name, MemorySegment value) {
        value("fi_get_val", Libfabric.FI_GET_VAL(), name, Buffers.writable("fi_get_val", value));
    }

    /**
     * Sets a variable of the provider's ({@code fi_set_val}).
     *
     * @param name its number
     * @param value native memory, as long as the provider reads
     */
    public final void setValue(int name, MemorySegment value) {
        value("fi_set_val", Libfabric.FI_SET_VAL(), name, Buffers.address("fi_set_val", value));
    }

    private void value(String operation, int command, int name, long value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment variable = fi_fid_var.allocate(arena);
            fi_fid_var.name(variable, name);
            fi_fid_var.val(variable, MemorySegment.ofAddress(value));
            check(operation, FidOps.control(fid(), command, variable.address()), kind() + ", variable " + name);
        }
    }

    /**
     * The functions that a provider has beyond libfabric's own ({@code fi_open_ops}), such as efa's and cxi's: an
     * escape hatch. They are called through {@link java.lang.foreign.Linker} by the layout in the provider's header.
     *
     * @param name what the provider calls them, such as {@code efa domain ops}
     * @param flags as the provider documents them
     * @return the address of the table of function pointers, valid while this object is open
     */
    public final long openOps(String name, long flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check("fi_open_ops", FidOps.openOps(fid(), arena.allocateFrom(name).address(), flags, result.address(),
                    0), kind() + ", " + name);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Replaces functions of the provider's ({@code fi_set_ops}): an escape hatch, as {@link #openOps}.
     *
     * @param name what the provider calls them
     * @param flags as the provider documents them
     * @param ops a table of function pointers; it and its upcall stubs must outlive this object
     */
    public final void setOps(String name, long flags, MemorySegment ops) {
        long table = Buffers.address("fi_set_ops", ops);
        try (Arena arena = Arena.ofConfined()) {
            check("fi_set_ops", FidOps.setOps(fid(), arena.allocateFrom(name).address(), flags, table, 0),
                    kind() + ", " + name);
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
        return kind() + (fid == 0 ? " (closed)" : "@0x" + Long.toHexString(fid));
    }
}
