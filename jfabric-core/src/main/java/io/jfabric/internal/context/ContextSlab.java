// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.OperationStatistics;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The operation contexts of one endpoint. Nothing is allocated per operation; the slab grows when more operations than
 * ever before are under way.
 *
 * <p>The first thread that posts owns the slab and pays no atomic instruction; if another thread reads a completion, it
 * gives the slot back through a lock-free stack. Other threads that post take turns under a lock. So this is safe at
 * every threading level, and as cheap as a plain stack where one thread does everything.
 */
public final class ContextSlab {
    /** A slot that its completion frees. */
    public static final byte PLAIN = 0;
    /** A multi-receive buffer: freed by the completion that says it is the last. */
    public static final byte MULTI_RECV = 1;
    /** A peek that claims: on success {@link #CLAIMED}. */
    public static final byte CLAIM = 2;
    /** An operation that keeps a {@link Kept}, to be released when it is over. */
    public static final byte RESOURCES = 3;
    /** A reserved message: kept until it is claimed. */
    public static final byte CLAIMED = 4;
    /** A receive to be checked: the message may be longer than its buffers. */
    public static final byte BOUNDED = 5;
    /** An operation whose report nobody asked for. */
    public static final byte SILENT = 6;
    /** Any of them, in {@link #find(long, byte)}. */
    public static final byte ANY_KIND = -1;

    /** No token: the most operations allowed are under way. */
    public static final long FULL = -1;

    /** How often {@link #find} looks again: each look may find another operation with the same context. */
    private static final int LOOKS = 4;
    private static final VarHandle RETURNED;

    static {
        try {
            RETURNED = MethodHandles.lookup().findVarHandle(ContextSlab.class, "returned", ContextSlot.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ContextRegistry registry;
    private final boolean nativeMemory;
    /** How many more chunks may be taken; null for any number. */
    private final Budget budget;
    /** Set under the lock. A thread that is the owner sees so without the lock. */
    private Thread owner;
    private ContextChunk[] chunks = new ContextChunk[1];
    private int chunkCount;
    /** Stack of free slots; only the owner uses it. */
    private ContextSlot[] free = new ContextSlot[ContextChunk.SLOTS];
    int freeCount;
    /** The chunk in which {@link #find} last found something: the next is often near. */
    private int found;
    /** Head of the stack of slots that other threads gave back, linked through {@link ContextSlot#next}. */
    private volatile ContextSlot returned;
    /** Slots for threads other than the owner; this slab has no owner itself and is used under this object's lock. */
    private ContextSlab shared;
    /** Whether this is the {@link #shared} slab of another one. */
    private boolean isShared;
    /** Free slots of this slab that other threads may take, as there is no budget for more; under the lock. */
    private ContextSlot lent;
    /** Weak: what a provider may use is kept even if the endpoint was forgotten, see {@link ContextRegistry}. */
    WeakReference<Object> user = new WeakReference<>(null);
    /** Keeps memory until the provider has closed the endpoint; null for none. */
    private UnreportedUse lasting;
    /** How many slots were ever taken; written together with {@link #freeCount}. */
    private long taken;
    /** Of these, those that the provider refused, and those under way when the endpoint was closed. */
    private final LongAdder undone = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final boolean counted;
    /** How often there was no slot left. */
    private final LongAdder full = new LongAdder();

    public ContextSlab(ContextRegistry registry, boolean nativeMemory) {
        this(registry, nativeMemory, null, true);
    }

    /** The budget of chunks may be shared with other slabs; operations are not counted if nobody asked for reports. */
    ContextSlab(ContextRegistry registry, boolean nativeMemory, Budget budget, boolean counted) {
        this.counted = counted;
        this.registry = registry;
        this.nativeMemory = nativeMemory;
        this.budget = budget;
    }

    /** Takes a slot for an operation; returns the token to give to the provider. */
    public long acquire(long context, Object keep, byte kind) {
        return acquire(context, keep, kind, ContextSlot.UNBOUNDED);
    }

    /** As above, with the room of a receive; {@link #FULL} if the budget is spent. */
    public long acquire(long context, Object keep, byte kind, long room) {
        Thread current = Thread.currentThread();
        return owner == current ? take(context, keep, kind, room)
                : acquireElsewhere(current, context, keep, kind, room);
    }

    /** As {@link #acquire} if tokens are no addresses and nothing is checked: the fast path for the owner. */
    long acquireAtOnce(long context, Object keep, byte kind, long room) {
        int n = freeCount;
        if (owner != Thread.currentThread() || n == 0) {
            return acquire(context, keep, kind, room);
        }
        ContextSlot slot = free[--n];
        freeCount = n;
        taken++;
        return slot.fillOrdinary(context, keep, kind, room);
    }

    private synchronized long acquireElsewhere(Thread current, long context, Object keep, byte kind, long room) {
        if (owner == null || !owner.isAlive()) {
            owner = current;
            return take(context, keep, kind, room);
        }
        if (shared == null) {
            shared = new ContextSlab(registry, nativeMemory, budget, counted);
            shared.user = user;
            shared.lasting = lasting;
            shared.isShared = true;
        }
        long token = shared.take(context, keep, kind, room);
        if (token != FULL) {
            return token;
        }
        // slots of operations that the owner posted and other threads saw the end of
        ContextSlot slot = lent != null ? lent : (ContextSlot) RETURNED.getAndSet(this, (ContextSlot) null);
        if (slot == null) {
            return FULL;
        }
        lent = slot.next;
        shared.taken++;
        return fill(slot, context, keep, kind, room);
    }

    private long take(long context, Object keep, byte kind, long room) {
        int n = freeCount;
        if (n == 0) {
            n = refill();
            if (n == 0) {
                full.increment();
                return FULL;
            }
        }
        ContextSlot slot = free[--n];
        freeCount = n;
        taken++;
        return fill(slot, context, keep, kind, room);
    }

    private long fill(ContextSlot slot, long context, Object keep, byte kind, long room) {
        long token = slot.fill(context, keep, kind, room);
        if (MemoryCheck.ON) {
            registry.memoryCheck().posted(slot, this);
        }
        return token;
    }

    /** The provider did not take the operation after all. */
    void undo(ContextSlot slot) {
        undone.increment();
        release(slot);
    }

    /** The place for what {@link #keepUntilClosed} is given; to be set before the first operation. */
    void lasting(UnreportedUse use) {
        lasting = use;
    }

    /** False if it cannot be kept, as the memory is of another domain, which is closed. */
    boolean keepUntilClosed(Object kept) {
        try {
            if (lasting != null) {
                lasting.note(kept);
            }
            return true;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** An operation ended with an error, and was not cancelled. */
    public void failed() {
        errors.increment();
    }

    /** An operation was cancelled by closing its endpoint: it counts as under way at the end. */
    public void withdrawn() {
        abandoned.increment();
    }

    /** The counts of the operations, without those that were never posted. */
    OperationStatistics statistics() {
        ContextSlab others = shared;
        long underWay = Math.max(0, busyHere());
        long posted = Math.max(underWay, taken - undone.sum());
        OperationStatistics mine = new OperationStatisticsImpl(posted, posted - underWay - abandoned.sum(),
                errors.sum(), full.sum(), underWay);
        return !counted ? OperationStatisticsImpl.NONE : others == null ? mine
                : OperationStatisticsImpl.sum(mine, others.statistics());
    }

    /** How many operations there have ever been. */
    long taken() {
        ContextSlab others = shared;
        return others == null ? taken : taken + others.taken;
    }

    /** The endpoint of these operations; null if it was forgotten. */
    public Object user() {
        return user.get();
    }

    /** A dead thread leads to what it ran, and often to the endpoint; so does memory that is confined to it. */
    synchronized void letGoOfDeadOwner() {
        if (owner != null && !owner.isAlive()) {
            owner = null;
            letGoOfThreads();
        }
        if (shared != null) {
            // of whichever thread; slots are taken under this lock
            shared.letGoOfThreads();
        }
    }

    private void letGoOfThreads() {
        for (int i = 0; i < chunkCount; i++) {
            for (int j = 0; j < ContextChunk.SLOTS; j++) {
                chunks[i].slot(j).letGoOfThreads();
            }
        }
    }

    /** Gives a slot back, from any thread. */
    public void release(ContextSlot slot) {
        if (MemoryCheck.ON) {
            registry.memoryCheck().over(slot);
        }
        slot.expire();
        giveBack(slot);
    }

    /** As {@link #release}, for a slot that keeps nothing but a buffer and whose token is no address. */
    public void releaseOrdinary(ContextSlot slot) {
        if (MemoryCheck.ON) {
            registry.memoryCheck().over(slot);
        }
        slot.token += ContextChunk.GENERATION;
        giveBack(slot);
    }

    private void giveBack(ContextSlot slot) {
        if (owner == Thread.currentThread()) {
            int n = freeCount;
            // most often the slot was taken from this very place, and then there is no GC barrier to pay
            if (free[n] != slot) {
                free[n] = slot;
            }
            freeCount = n + 1;
            return;
        }
        ContextSlot head;
        do {
            head = (ContextSlot) RETURNED.getVolatile(this);
            slot.next = head;
        } while (!RETURNED.compareAndSet(this, head, slot));
    }

    /** Takes what other threads gave back, or a new chunk; returns the number of free slots. */
    private int refill() {
        ContextSlot slot = (ContextSlot) RETURNED.getAndSet(this, (ContextSlot) null);
        if (slot == null) {
            int grown = grow();
            slot = grown == 0 ? takeLent() : null;
            if (slot == null) {
                return grown;
            }
        }
        int n = 0;
        while (slot != null) {
            free[n++] = slot;
            slot = slot.next;
        }
        return n;
    }

    private synchronized ContextSlot takeLent() {
        ContextSlot slots = lent;
        lent = null;
        return slots;
    }

    /** The last chunk of a budget is for other threads: they cannot take what the owner has. */
    private boolean mayGrow() {
        int kept = isShared ? 0 : 1;
        return budget == null || chunkCount == 0 && budget.take(1) || budget.takeBut(kept, 1);
    }

    private int grow() {
        if (!mayGrow()) {
            return 0;
        }
        try {
            return growNow();
        } catch (OutOfMemoryError e) {
            if (budget != null) {
                budget.giveBack(1, 0);
            }
            throw e;
        }
    }

    /** All memory first: if there is none left, nothing has changed. */
    private int growNow() {
        ContextChunk[] list = chunks;
        ContextSlot[] stack = free;
        if (chunkCount == list.length) {
            list = Arrays.copyOf(list, chunkCount * 2);
            stack = new ContextSlot[list.length * ContextChunk.SLOTS];
        }
        ContextChunk chunk = registry.take(this, nativeMemory);
        chunks = list;
        free = stack;
        chunks[chunkCount++] = chunk;
        for (int i = 0; i < ContextChunk.SLOTS; i++) {
            // the lowest slot on top: memory is touched in order
            free[i] = chunk.slot(ContextChunk.SLOTS - 1 - i);
        }
        return ContextChunk.SLOTS;
    }

    /** Names the endpoint of these operations, for messages. */
    public synchronized ContextSlab of(Object endpoint) {
        user = new WeakReference<>(endpoint);
        if (shared != null) {
            shared.user = user;
        }
        return this;
    }

    /** How many slots are free, without those in {@link #returned}. */
    int freeCount() {
        return freeCount;
    }

    /** Whether a thread other than this one gives slots back without a barrier. */
    boolean isOthers() {
        Thread thread = owner;
        return thread != null && thread != Thread.currentThread();
    }

    /** All free slots, but only this many from the list. */
    void eachFree(int listed, Consumer<ContextSlot> action) {
        ContextSlot[] list = free;
        for (int i = 0; i < Math.min(listed, list.length); i++) {
            action.accept(list[i]);
        }
        for (ContextSlot slot = returned; slot != null; slot = slot.next) {
            action.accept(slot);
        }
        for (ContextSlot slot = lent; slot != null; slot = slot.next) {
            action.accept(slot);
        }
    }

    @Override
    public String toString() {
        return ContextRegistry.name(user.get());
    }

    /** The token of an operation that is under way with this context; 0 if there is none. */
    public long find(long context) {
        return find(context, ANY_KIND);
    }

    /** As {@link #find(long)}, for this kind only. */
    public synchronized long find(long context, byte kind) {
        long token = look(context, kind);
        for (int i = 0; i < LOOKS && token != 0; i++) {
            // a slot that is just being given back or taken is on no list, and so seems to be in use; but not twice
            long last = token;
            token = look(context, kind);
            if (token == last) {
                break;
            }
        }
        return token;
    }

    private synchronized long look(long context, byte kind) {
        ContextChunk[] mine = chunks();
        IdleSlots idle = new IdleSlots(this);
        for (int i = 0; i < mine.length; i++) {
            long token = mine[(found + i) % mine.length].find(context, kind, idle);
            if (token != 0) {
                found = (found + i) % mine.length;
                return token;
            }
        }
        return shared == null ? 0 : shared.look(context, kind);
    }

    /** The owner may be about to add a chunk. */
    private ContextChunk[] chunks() {
        ContextChunk[] all = chunks;
        return Arrays.stream(all, 0, Math.min(chunkCount, all.length)).filter(Objects::nonNull)
                .toArray(ContextChunk[]::new);
    }

    /** The tokens of all operations that are under way. */
    public synchronized List<Long> tokens() {
        List<Long> tokens = new ArrayList<>();
        Set<ContextSlot> idle = new IdleSlots(this).all();
        for (ContextChunk chunk : chunks()) {
            for (int j = 0; j < ContextChunk.SLOTS; j++) {
                ContextSlot slot = chunk.slot(j);
                if (!idle.contains(slot)) {
                    tokens.add(slot.token);
                }
            }
        }
        if (shared != null) {
            tokens.addAll(shared.tokens());
        }
        return tokens;
    }

    /** Whether {@link #eachFree} would have it. */
    boolean isIdle(ContextSlot one) {
        ContextSlot[] list = free;
        for (int i = Math.min(freeCount, list.length) - 1; i >= 0; i--) {
            if (list[i] == one) {
                return true;
            }
        }
        return one.isIn(returned) || one.isIn(lent);
    }

    /** Whether no more than so many can be under way; looks at what others gave back only if that is necessary. */
    public synchronized boolean hasAtMost(long most) {
        return shared == null && chunkCount * ContextChunk.SLOTS - freeCount <= most || busy() <= most;
    }

    /** How many operations are under way, while no other thread posts. */
    public synchronized int busy() {
        return shared == null ? busyHere() : busyHere() + shared.busy();
    }

    /** Only an estimate while others post and complete; but it ends. */
    private int busyHere() {
        int busy = chunkCount * ContextChunk.SLOTS - freeCount;
        for (ContextSlot slot = returned; slot != null && busy > 0; slot = slot.next) {
            busy--;
        }
        for (ContextSlot slot = lent; slot != null; slot = slot.next) {
            busy--;
        }
        return busy;
    }

    /** The endpoint is closed: see {@link ContextRegistry#give}. */
    public synchronized void close(Collection<ContextReader> queues, boolean parked) {
        int busy = busyHere();
        abandoned.add(busy);
        registry.give(Arrays.asList(chunks).subList(0, chunkCount), queues, parked);
        if (budget != null) {
            SilentReceives.giveBack(budget, chunkCount, (busy + ContextChunk.SLOTS - 1) / ContextChunk.SLOTS, queues);
        }
        chunkCount = 0;
        freeCount = 0;
        lent = null;
        owner = null;
        if (shared != null) {
            // kept for its counts
            shared.close(queues, parked);
        }
    }
}
