// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.Domain;
import io.jfabric.FabricArena;
import io.jfabric.internal.clock.Attempts;
import io.jfabric.internal.context.LateAccess;
import io.jfabric.internal.context.MemoryCheck;
import io.jfabric.internal.context.OpenArenas;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.life.Parking;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.OpenDomains;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * {@link FabricArena}. Its segments belong to a shared arena of the JDK's, which is closed only when nothing uses the
 * memory; the memory itself is jfabric's, freed after that.
 *
 * <p>Locks: the fabric's, then {@link #users}. Allocation has a lock of its own, as it may have to wait for a closer
 * when it registers memory; so closing does not take that one.
 */
public final class FabricArenaImpl implements FabricArena, OpenArenas.Owner {
    private static final long LINE = 64;
    private static final long PAGE = 4096;
    private static final long FIRST_BLOCK = 16 << 10;
    private static final long LARGEST_BLOCK = 1 << 20;
    /** How often {@link #close} checks whether what seems to use the memory does: it seldom seems so twice. */
    private static final int LOOKS = 10;
    private static final int LISTED = 8;
    private static final String ACQUIRED = "a channel, or native code of others, that works on a segment of it now";

    private final DomainState domain;
    private final Arena inner = Arena.ofShared();
    /** Whoever takes one out frees it. */
    private final Queue<ArenaBlock> blocks = new ConcurrentLinkedQueue<>();
    /** Regions over the memory, and endpoints with unreported operations on it. Guarded by itself, as is closed. */
    private final Set<Object> users = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;
    /** Why the program must not close it; null if it may. */
    private volatile String kept;
    private volatile boolean borrowed;
    private volatile Runnable atEnd = () -> { };
    /** Domains through which peers may use the memory longer than its regions. Guarded as the users. */
    private final Set<LateAccess> exposures = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Leaks.Tracker tracker;
    private final Object allocation = new Object();
    private MemorySegment current = MemorySegment.NULL;
    private long used;
    private long nextBlock = FIRST_BLOCK;

    private FabricArenaImpl(DomainState domain) {
        this.domain = domain;
        this.tracker = Leaks.track(this, "FabricArena", Leaks.Often.OFTEN, domain.object().tracker());
    }

    public static FabricArenaImpl open(DomainState domain) {
        RetiredBlocks.sweep();
        FabricArenaImpl arena = new FabricArenaImpl(domain);
        domain.arenas().add(arena);
        return arena;
    }

    @Override
    public MemorySegment.Scope scope() {
        return inner.scope();
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("allocate: byteSize " + byteSize + " is negative");
        }
        if (byteAlignment <= 0 || (byteAlignment & byteAlignment - 1) != 0) {
            throw new IllegalArgumentException("allocate: alignment " + byteAlignment + " is not a power of two");
        }
        if (!scope().isAlive()) {
            throw new IllegalStateException("allocate: the arena is closed");
        }
        if (byteSize == 0) {
            return byteAlignment > PAGE ? allocate(1, byteAlignment).asSlice(0, 0) : inner.allocate(0, byteAlignment);
        }
        long alignment = Math.max(byteAlignment, LINE);
        synchronized (allocation) {
            return byteSize > nextBlock / 2 || alignment > PAGE
                    ? block(byteSize, byteSize >= PAGE ? Math.max(alignment, PAGE) : alignment)
                    : cut(byteSize, alignment);
        }
    }

    private MemorySegment cut(long size, long alignment) {
        long at = used + alignment - 1 & -alignment;
        if (at + size > current.byteSize()) {
            current = block(nextBlock, PAGE);
            nextBlock = Math.min(2 * nextBlock, LARGEST_BLOCK);
            at = 0;
        }
        used = at + size;
        return current.asSlice(at, size);
    }

    private MemorySegment block(long size, long alignment) {
        ArenaBlock block = ArenaBlock.allocate(domain, this, size, alignment);
        blocks.add(block);
        if (!scope().isAlive()) {
            // closed meanwhile, and maybe after the blocks to be freed were collected
            retireBlocks();
        }
        return block.memory(inner);
    }

    /** From now on it is closed with its domain only, for this reason. */
    public FabricArenaImpl keep(String why) {
        kept = why;
        return this;
    }

    /** Opens one for jfabric itself, only to lend: other domains' endpoints with raw contexts do not keep it open. */
    public static FabricArenaImpl openBorrowed(Domain domain) {
        FabricArenaImpl arena = (FabricArenaImpl) domain.openArena();
        arena.borrowed = true;
        return arena;
    }

    /**
     * Sets what to run, under locks, when the domain closes it. The action must not keep the arena's user reachable.
     */
    public void whenItsDomainCloses(Runnable action) {
        atEnd = action;
    }

    private void checkKept() {
        if (kept != null && scope().isAlive()) {
            throw new IllegalStateException(kept);
        }
    }

    @Override
    public boolean tryClose() {
        return kept == null ? attempt().isEmpty() : !scope().isAlive();
    }

    @Override
    public boolean tryClose(Duration timeout) {
        // a node's arena is closed with the node, so nobody waits for that
        Attempts.within(timeout, () -> tryClose() || kept != null, "FabricArena.tryClose",
                "the thread is interrupted; the arena stays open");
        return !scope().isAlive();
    }

    @Override
    public void close() {
        checkKept();
        List<String> uses = attempt();
        for (int i = 0; i < LOOKS && !uses.isEmpty() && onlySeemsUsed(); i++) {
            uses = attempt();
        }
        if (!uses.isEmpty()) {
            throw refusal(uses, "");
        }
    }

    /**
     * Whether it only seems used: threads in domains elsewhere are not kept out of a look, which may then take an
     * operation of theirs that begins for the one before it.
     */
    private boolean onlySeemsUsed() {
        synchronized (users) {
            if (!users.isEmpty()) {
                return false;
            }
        }
        List<String> uses = new ArrayList<>();
        return OpenDomains.areElsewhere(domain)
                && OpenDomains.eachQuiet(contexts -> uses.addAll(contexts.underWay(this::isFrom))) && uses.isEmpty();
    }

    /** Closes it if it can be closed; else returns what uses it. */
    private List<String> attempt() {
        if (!scope().isAlive()) {
            return List.of();
        }
        List<String> uses = new ArrayList<>(rawUsers());
        if (!uses.isEmpty()) {
            // true for as long as they are open, whoever is kept out
            return uses;
        }
        if (OpenDomains.areElsewhere(domain)) {
            // not kept out, so this is no more than likely to be true; what is missed is found before anything is freed
            uses.addAll(OpenDomains.underWay(this::isFrom));
            if (!uses.isEmpty() && Parking.hasUnsettled()) {
                // some may be over, of closed endpoints that the provider still has
                uses.clear();
                OpenDomains.settleParked();
                uses.addAll(OpenDomains.underWay(this::isFrom));
            }
            if (!uses.isEmpty()) {
                return uses;
            }
        }
        // registrations must be gone before somebody closes the domain
        domain.object().locked(() -> {
            domain.object().exclusively(() -> closeUnused(uses));
            if (uses.isEmpty()) {
                retireBlocks();
            }
        });
        RetiredBlocks.sweep();
        return uses;
    }

    /** The endpoints that keep it open because nobody knows their operations. */
    public List<String> rawUsers() {
        return borrowed ? domain.contexts().rawUsers() : OpenDomains.rawUsers();
    }

    /** Knows what operations of its domain use; null unless somebody looks for mistakes. */
    public MemoryCheck memoryCheck() {
        return domain.contexts().memoryCheck();
    }

    private boolean isFrom(Object kept) {
        return OpenArenas.isFrom(kept, this);
    }

    private void closeUnused(List<String> uses) {
        synchronized (users) {
            if (closed) {
                return;
            }
            uses.addAll(OpenDomains.underWay(this::isFrom));
            uses.addAll(rawUsers());
            users.forEach(user -> uses.add(user.toString()));
            if (!uses.isEmpty()) {
                return;
            }
            if (!closeInner()) {
                uses.add(ACQUIRED);
            }
        }
    }

    /** False if a segment is just passed to native code of others, which keeps the arena open. */
    private boolean closeInner() {
        try {
            inner.close();
        } catch (IllegalStateException e) {
            if (scope().isAlive()) {
                return false;
            }
            throw e;
        }
        closed = true;
        tracker.closed();
        return true;
    }

    private void retireBlocks() {
        domain.arenas().remove(this);
        boolean free = !isHeld() && !OpenDomains.areElsewhere(domain)
                && OpenDomains.underWay(this::isFrom).isEmpty() && rawUsers().isEmpty();
        for (ArenaBlock block = blocks.poll(); block != null; block = blocks.poll()) {
            ArenaBlock next = block;
            next.deregister(free ? next::free : () -> RetiredBlocks.add(next));
        }
    }

    private static IllegalStateException refusal(List<String> uses, String when) {
        StringBuilder text = new StringBuilder("the arena cannot be closed, its memory is still used").append(when)
                .append(". Used by: ").append(String.join("; ", uses.subList(0, Math.min(LISTED, uses.size()))));
        if (uses.size() > LISTED) {
            text.append("; and ").append(uses.size() - LISTED).append(" more");
        }
        return new IllegalStateException(text.toString());
    }

    @Override
    public void hold(Object user) {
        synchronized (users) {
            if (closed) {
                throw new IllegalStateException("the arena of the memory is closed");
            }
            users.add(user);
        }
    }

    @Override
    public void exposedTo(LateAccess domain) {
        synchronized (users) {
            exposures.add(domain);
        }
    }

    @Override
    public List<LateAccess> exposures() {
        synchronized (users) {
            return List.copyOf(exposures);
        }
    }

    @Override
    public void letGo(Object user) {
        synchronized (users) {
            users.remove(user);
        }
    }

    @Override
    public boolean isHeld() {
        synchronized (users) {
            return !users.isEmpty();
        }
    }

    @Override
    public boolean mayBeInRawUse() {
        return !borrowed;
    }

    /** Called when its domain closes: what still uses the memory belongs to other domains. */
    @Override
    public void domainCloses() {
        synchronized (users) {
            if (!closed && !closeInner()) {
                throw refusal(List.of(ACQUIRED), " while its domain is closed; close that again afterwards");
            }
        }
        atEnd.run();
        retireBlocks();
    }

    @Override
    public String toString() {
        return "FabricArena of " + domain.object() + (scope().isAlive() ? "" : " (closed)");
    }
}
