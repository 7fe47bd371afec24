// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.EscapeHatch;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.FidOps;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * An open object of libfabric's ({@code struct fid}).
 *
 * <p>Closing an object closes what was opened from it, in an order libfabric accepts. Closing again does nothing;
 * every other method then throws {@link IllegalStateException}. Opening and closing may happen in any thread, but an
 * object must not be closed while another thread is inside one of its methods.
 */
public abstract class FidObject implements FabricObject {
    /** The {@code struct fid}; 0 once closed. */
    private long fid;
    /** The same, but 0 also while an endpoint is not enabled. Read without synchronisation on the data path. */
    private long handle;
    private final FidObject parent;
    private final Object lock;
    /** Of the root: all that is open below it, by handle. */
    private final Map<Long, FidObject> open;
    private final Set<FidObject> children = new LinkedHashSet<>();
    /** What this is bound to, and what is bound to this: rxm frees a busy queue although it answers -FI_EBUSY. */
    private final Set<FidObject> uses = new LinkedHashSet<>();
    private final List<Runnable> postponed = new CopyOnWriteArrayList<>();
    /** Few, and gone through by threads that must not wait for the lock. */
    private final Set<FidObject> users = new CopyOnWriteArraySet<>();

    public FidObject(FidObject parent, long fid) {
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
    public abstract String kind();

    /** Among siblings, lower ranks are closed first. */
    public int closeRank() {
        return 0;
    }

    /** Called before what was opened from this is closed. */
    public void closingChildren() {
    }

    /** Called before the object is closed, which may still fail. */
    public void closing() {
    }

    /** Whether the provider takes the object apart even if it then answers that it is busy. */
    public boolean failsForGood() {
        return false;
    }

    /** Called once the object is closed; releases what jfabric itself keeps for it. */
    public void closed() {
    }

    /** The open object of this fabric with that address; null if there is none. */
    public final FidObject find(long fid) {
        return open.get(fid);
    }

    /** For operations; an endpoint has none until it is enabled. */
    public final long handle() {
        long h = handle;
        if (h == 0) {
            throw unusable();
        }
        return h;
    }

    /** For what can be done before an endpoint is enabled. */
    public final long fid() {
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
    public final void takeOutOfService() {
        handle = 0;
    }

    public final void putIntoService() {
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
            List<FidObject> owned = new ArrayList<>(children);
            Collections.reverse(owned);
            owned.sort(Comparator.comparingInt(FidObject::closeRank));
            owned.forEach(FidObject::close);
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
    public final void uses(FidObject other) {
        synchronized (lock) {
            if (uses.add(other)) {
                other.users.add(this);
            }
        }
    }

    /** Undoes {@link #uses}. */
    public final void usesNoLonger(FidObject other) {
        synchronized (lock) {
            uses.remove(other);
            other.users.remove(this);
        }
    }

    public final boolean isUsed() {
        synchronized (lock) {
            return !users.isEmpty();
        }
    }

    /** The object of that class that is bound to this one; null if there is none. */
    public final <T extends FidObject> T used(Class<T> type) {
        synchronized (lock) {
            return uses.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
        }
    }

    /** For all that this is bound to. */
    public final void eachUser(Consumer<FidObject> action) {
        users.forEach(action);
    }

    /** Binds another object to this one. */
    public final void bind(String operation, FidObject other, long flags) {
        Objects.requireNonNull(other, operation + ": the object to bind is null");
        requireRelated(operation, other);
        if (postponesBindings()) {
            fid();
            other.fid();
            postponed.add(() -> bindNow(operation, other, flags));
        } else {
            bindNow(operation, other, flags);
        }
        uses(other);
    }

    private void bindNow(String operation, FidObject other, long flags) {
        check(operation, FidOps.bind(fid(), other.fid(), flags), bindingFor(other));
    }

    /** For exceptions: what is bound to what. */
    protected String bindingFor(FidObject other) {
        return "binding a " + other.kind() + " to a " + kind();
    }

    /** Whether the provider must not see bindings yet. */
    protected boolean postponesBindings() {
        return false;
    }

    /** The provider sees the bindings that were postponed. */
    public final void bindPostponed() {
        List<Runnable> bindings = List.copyOf(postponed);
        postponed.clear();
        bindings.forEach(Runnable::run);
    }

    /** As {@link #bind}, for what there can be one of: given a second, providers lose count and never let go of one. */
    public final void bindOnce(String operation, FidObject other) {
        Objects.requireNonNull(other, operation + ": the object to bind is null");
        synchronized (lock) {
            for (FidObject used : uses) {
                if (used.getClass() == other.getClass()) {
                    throw new IllegalStateException(operation + ": the " + kind() + " has its " + used.kind()
                            + " already");
                }
            }
            bind(operation, other, 0);
        }
    }

    /** Throws unless the other object is of the same fabric, and of the same domain if both are of one. */
    public final void requireRelated(String operation, FidObject other) {
        FidObject mine = domainLevel();
        FidObject others = other.domainLevel();
        if (lock != other.lock) {
            throw new IllegalArgumentException(operation + ": the " + other.kind() + " belongs to another fabric than "
                    + "the " + kind());
        }
        if (mine != null && others != null && mine != others) {
            throw new IllegalArgumentException(operation + ": the " + other.kind() + " belongs to another domain than "
                    + "the " + kind());
        }
    }

    /** The domain that this is, or is of; null for objects of the fabric itself. */
    private FidObject domainLevel() {
        FidObject at = this;
        while (at.parent != null && at.parent.parent != null) {
            at = at.parent;
        }
        return at.parent != null && at.isDomain() ? at : null;
    }

    /** Whether objects of it must not be mixed with those of another. */
    protected boolean isDomain() {
        return false;
    }

    /** A command that takes or gives flags. */
    public final long controlFlags(String name, int command, long flags) {
        long address = fid();
        String operation = "fi_control(" + name + ")";
        if (refusesControl()) {
            throw FabricException.of(operation, Errno.ENOSYS, kind());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, flags);
            check(operation, FidOps.control(address, command, value.address()), kind());
            return value.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    @Override
    public final EscapeHatch escapeHatch() {
        return new EscapeHatchImpl(this);
    }

    /** Whether the provider follows a null wait object to say that it does not know a command. */
    protected boolean refusesControl() {
        return false;
    }

    /** Turns a negative result into an exception. */
    public static void check(String operation, long result, String detail) {
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
