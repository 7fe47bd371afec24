// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.EscapeHatch;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ops.FidOps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * An open object of libfabric's ({@code struct fid}).
 *
 * <p>Closing an object closes what was opened from it, in an order libfabric accepts. Closing again does nothing;
 * every other method then throws {@link IllegalStateException}.
 *
 * <p><b>Threads.</b> Opening, using and closing may happen in any thread at any time. Every native call with the
 * object is made inside its {@link Entry}: {@link #call} for what is not urgent, the entry's own methods for the data
 * path. Whoever is inside one object keeps all objects of the {@link Family} open (but regions): so a call that takes
 * two enters the first and asks the other for its {@link #fid}. A thread that is inside must not wait for a lock that
 * is held while others enter, nor enter another object.
 */
public abstract non-sealed class FidObject implements FabricObject, Guarded {
    private final Entry entry;
    final FidObject parent;
    final Family family;
    private final Members members;
    private final Leaks.Tracker tracker;
    final Children children = new Children();
    /** What is bound to this, and must outlive it: a provider may free a busy queue although it answers -FI_EBUSY. */
    private final Set<FidObject> uses = new CopyOnWriteArraySet<>();
    private final List<Runnable> postponed = new CopyOnWriteArrayList<>();
    /** What this is bound to. Few, and gone through by threads that must not wait. */
    final Set<FidObject> users = new CopyOnWriteArraySet<>();
    /** Whether the provider uses it only in calls that name it. */
    private volatile boolean apart;
    /** Whether a child is gone that the provider still counts. */
    volatile boolean keepsLost;

    /** A fabric, whose family is its own or that of the process. */
    protected FidObject(Family family, long fid) {
        this(null, family, new SharedEntry(fid, true), false);
    }

    /** An object that any number of threads may use at a time. */
    protected FidObject(FidObject parent, long fid) {
        this(parent, new SharedEntry(fid, true));
    }

    /** An object with an entry of its own choice. */
    protected FidObject(FidObject parent, Entry entry) {
        this(parent, parent.family, entry, false);
    }

    /** An object that, as long as it stands apart, is closed without keeping threads out of all others. */
    protected FidObject(FidObject parent, long fid, boolean apart) {
        this(parent, parent.family, new SharedEntry(fid, true), apart);
    }

    private FidObject(FidObject parent, Family family, Entry entry, boolean apart) {
        this.parent = parent;
        this.family = family;
        this.members = parent == null ? family.ofAnother() : parent.members;
        this.entry = entry;
        this.apart = apart;
        entry.only(parent == null ? null : parent.entry.only());
        this.tracker = Leaks.make(this, getClass().getSimpleName().replace("Impl", ""),
                apart ? Leaks.Often.OFTEN : Leaks.Often.SELDOM, parent == null ? null : parent.tracker);
    }

    /** Makes it visible to others. It is complete, and the caller inside its parent, so that no closer misses it. */
    final void list() {
        tracker.list(this);
        if (parent != null) {
            tracker.siblings(parent.children.add(this));
        }
        members.add(entry.object(), this);
    }

    /** What C calls the object, for messages. */
    public abstract String kind();

    /** Among siblings, lower ranks are closed first. */
    protected int closeRank() {
        return 0;
    }

    /** Called first: throws if neither this nor anything opened from it must be closed now. */
    protected void checkClosable() {
    }

    /** Called before what was opened from this is closed, while no other thread is inside the family. */
    protected void closingChildren() {
    }

    /** Called after {@link #closingChildren} if the object is still open: it can be used, and closed again. */
    protected void closingRefused() {
    }

    /** Called before the object is closed, which may still fail. */
    protected void closing() {
    }

    /** Called just before the provider closes it, when all that was opened from it is closed. Negative: not yet. */
    protected long closingLast() {
        return 0;
    }

    /** Whether the provider takes the object apart even if it then answers that it is busy. */
    protected boolean failsForGood() {
        return false;
    }

    /** Called once the provider has closed the object; releases what jfabric itself keeps for it. */
    protected void closed() {
    }

    /** As {@link #closed}, when the provider has failed for good, and may still use what it keeps. */
    protected void lost() {
        closed();
    }

    /** Null for an object that has none. */
    protected Neighbours neighbours() {
        return null;
    }

    /**
     * The provider will close it later, and nobody uses it any more. False if something is under way: then once more.
     */
    protected boolean parked(long fid) {
        return true;
    }

    /** For other things that are opened from this, to be listed below it. */
    public final Leaks.Tracker tracker() {
        return tracker;
    }

    /** What must not be closed before this is. */
    final Set<FidObject> needs() {
        Set<FidObject> needs = new LinkedHashSet<>(uses);
        for (FidObject above = parent; above != null; above = above.parent) {
            needs.add(above);
        }
        return needs;
    }

    /** Whether a thread is in a native call of this, or of what is bound to it. */
    protected final boolean isEntered() {
        return !entry.whoIsInside().isEmpty() || uses.stream().anyMatch(used -> !used.entry.whoIsInside().isEmpty());
    }

    /** From now on this, and what is bound to it, can only be closed. */
    protected final void breakDown(String why) {
        entry.breakDown(why);
        uses.forEach(used -> used.entry.breakDown(why));
    }

    @Override
    public final Entry entry() {
        return entry;
    }

    /** The open object of this fabric with that address; null if there is none. */
    public final FidObject find(long fid) {
        return members.find(fid);
    }

    final FidObject root() {
        return parent == null ? this : parent.root();
    }

    /** The domain that this belongs to, or itself if it is opened from the fabric. */
    final FidObject branch() {
        return parent == null || parent.parent == null ? this : parent.branch();
    }

    /** Whether this is the other, or was opened from it, directly or not. */
    public final boolean isBelow(FidObject other) {
        return this == other || parent != null && parent.isBelow(other);
    }

    final boolean isApart() {
        return apart;
    }

    /** From now on the provider may use it in calls that name others. */
    protected final void noLongerApart() {
        apart = false;
    }

    /**
     * The address of an object in service, which an endpoint is not until it is enabled. Unless the caller is inside,
     * others may close the object at any moment, so that this only tells that it was in service.
     */
    public final long handle() {
        long h = entry.guestHandle();
        if (h == 0) {
            // a closer at work, or the end
            h = entry.object();
            if (h == 0 || !entry.isInService() || entry.isBroken()) {
                throw unusable();
            }
        }
        return h;
    }

    /** As {@link #handle}, also before it is in service. */
    public final long fid() {
        long f = entry.object();
        if (f == 0) {
            throw unusable();
        }
        return f;
    }

    /** Why an attempt to enter was refused. */
    public final RuntimeException unusable() {
        if (entry.breakdown() != null && isOpen()) {
            return FabricException.of("use of a " + kind(), Errno.EIO, entry.breakdown());
        }
        return new IllegalStateException("the " + kind() + " " + entry.refusal());
    }

    /**
     * Makes a native call that is not of the data path, also before the object is in service. The object, and all that
     * it is used with, stays open during the call.
     *
     * @param call gets the address
     * @throws IllegalStateException if the object is closed
     * @throws FabricException {@code FI_EIO} if it can only be closed
     */
    public final <T> T call(LongFunction<T> call) {
        StackRoom.ensure();
        long fid = entry.enterAsGuest();
        if (fid == 0) {
            throw unusable();
        }
        try {
            return call.apply(fid);
        } finally {
            try {
                called(fid);
            } finally {
                // also if there is no memory left to look the functions up: a closer would wait for ever
                entry.leaveAsGuest();
            }
        }
    }

    /** After a {@link #call}, still inside: the provider may have replaced its functions. */
    protected void called(long fid) {
    }

    /** From now on one thread at a time is let into this, and what will be opened from it. */
    protected final void keepToOneThread() {
        entry.only(new OneThread(this));
    }

    /** From here on only what needs no {@link #handle()} works: providers crash on operations before fi_enable. */
    public final void takeOutOfService() {
        entry.inService(false);
    }

    public final void putIntoService() {
        entry.inService(true);
    }

    @Override
    public final boolean isOpen() {
        return entry.isOpen();
    }

    /**
     * Closes the object and everything opened from it ({@code fi_close}). Other threads are kept out of the family
     * meanwhile, those that wait in it are woken, and then go on or find their object closed.
     *
     * @throws FabricException {@code FI_EBUSY} if something else still uses it; it then stays open and can be closed
     *     again later
     * @throws IllegalStateException if threads do not come out of native calls, or a node owns it; nothing closes then
     */
    @Override
    public final void close() {
        synchronized (family) {
            if (entry.mayBeClosed()) {
                Closing.run(this::group, () -> Ending.closeAll(this));
            }
        }
    }

    final Collection<FidObject> group() {
        return apart ? addTo(new ArrayList<>()) : family.around(this);
    }

    final List<FidObject> addTo(List<FidObject> group) {
        group.add(this);
        children.copy().forEach(child -> child.addTo(group));
        return group;
    }

    /** For all that were opened from this one. */
    public final void eachChild(Consumer<FidObject> action) {
        children.copy().forEach(action);
    }

    /** It counts as closed, even if the provider has yet to close it: nobody closes it again, or waits for that. */
    final void gone(long fid) {
        entry.closed();
        if (parent != null) {
            parent.children.remove(this);
        }
        members.remove(fid, this);
        if (!uses.isEmpty()) {
            uses.forEach(used -> used.users.remove(this));
            uses.clear();
        }
        tracker.closed();
    }

    /** Runs the action while nothing of the fabric is closed. */
    public final void locked(Runnable action) {
        synchronized (family) {
            action.run();
        }
    }

    /**
     * Runs the action while nothing of the fabric is closed and no thread is in an operation or a poll.
     * Handlers may run.
     */
    public final void exclusively(Runnable action) {
        locked(() -> Closing.run(() -> family.around(this), () -> family.parking().settled(action)));
    }

    /** Runs the action while no other thread is in a call of this; those that come wait until it is over. */
    public final void alone(Runnable action) {
        locked(() -> Closing.run(() -> addTo(new ArrayList<>()), action));
    }

    /** Runs the action while no thread is in an operation of what this is bound to; others wait until it is over. */
    protected final void withoutUsers(Runnable action) {
        locked(() -> Closing.run(() -> {
            List<FidObject> group = new ArrayList<>();
            eachUser(user -> user.addTo(group));
            return group;
        }, action));
    }

    /** Notes that the other object must stay open as long as this one is. */
    public final void uses(FidObject other) {
        if (uses.add(other)) {
            other.users.add(this);
        }
    }

    /** Undoes {@link #uses}. */
    public final void usesNoLonger(FidObject other) {
        uses.remove(other);
        other.users.remove(this);
    }

    public final boolean isUsed() {
        return !users.isEmpty();
    }

    /** The object of that class that is bound to this one; null if there is none. */
    public final <T> T used(Class<T> type) {
        for (FidObject used : uses) {
            if (type.isInstance(used)) {
                return type.cast(used);
            }
        }
        return null;
    }

    /** For all that this is bound to. */
    public final void eachUser(Consumer<FidObject> action) {
        users.forEach(action);
    }

    /** For all that is bound to this. */
    public final void eachUsed(Consumer<FidObject> action) {
        uses.forEach(action);
    }

    /** Binds another object to this one. */
    public final void bind(String operation, FidObject other, long flags) {
        Objects.requireNonNull(other, operation + ": the object to bind is null");
        checkRelated(operation, other);
        // nobody closes: to be inside one that stands apart would not keep the other open
        synchronized (family) {
            call(fid -> {
                Runnable now = () -> check(operation, FidOps.bind(fid(), other.fid(), flags), bindingFor(other));
                if (postponesBindings()) {
                    other.fid();
                    postponed.add(now);
                } else {
                    now.run();
                }
                uses(other);
                return null;
            });
        }
    }

    /** For exceptions: what is bound to what. */
    protected String bindingFor(FidObject other) {
        return "binding a " + other.kind() + " to a " + kind();
    }

    /** Whether the provider must not see bindings yet. */
    protected boolean postponesBindings() {
        return false;
    }

    /** Makes the bindings that were postponed; if the provider refuses one, call again for the rest. */
    public final void bindPostponed() {
        while (!postponed.isEmpty()) {
            postponed.removeFirst().run();
        }
    }

    /**
     * Throws if they must not be used together: providers follow objects into other domains and do not keep them open.
     */
    public final void checkRelated(String operation, FidObject other) {
        Related.check(operation, this, other);
    }

    protected boolean isDomain() {
        return false;
    }

    /** As {@link #bind}, if only one is possible: given a second, providers lose count and never let go of one. */
    public final void bindOnce(String operation, FidObject other) {
        Objects.requireNonNull(other, operation + ": the object to bind is null");
        synchronized (family) {
            for (FidObject used : uses) {
                if (used.getClass() == other.getClass()) {
                    throw new IllegalStateException(operation + ": the " + kind() + " has its " + used.kind()
                            + " already");
                }
            }
            bind(operation, other, 0);
        }
    }

    @Override
    public final EscapeHatch escapeHatch() {
        return new EscapeHatchImpl(this);
    }

    /** Whether the provider dereferences a null wait object when it does not know a command. */
    protected boolean refusesControl() {
        return false;
    }

    protected static void check(String operation, long result, String detail) {
        Results.check(operation, result, detail);
    }

    @Override
    public String toString() {
        long fid = entry.object();
        return kind() + (fid == 0 ? " (closed)" : "@0x" + Long.toHexString(fid));
    }
}
