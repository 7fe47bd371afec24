// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.FabricObject;
import io.jfabric.RemoteRegion;
import io.jfabric.Request;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.ContextSlot;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.post.BufferTable;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.LocalBuffers;
import io.jfabric.internal.post.OperationKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * {@link Request}: what all kinds share. Its native memory is what libfabric takes; libfabric copies it, so that it can
 * be changed and used again at once.
 *
 * @param <R> the concrete type
 */
public abstract sealed class RequestImpl<R extends Request<R>>
        permits BufferedRequest, RmaRequestImpl, AtomicRequestImpl {
    static final MemorySegment[] EMPTY = {};
    private static final long DATA = Libfabric.FI_REMOTE_CQ_DATA();
    private static final long COMPLETION = Libfabric.FI_COMPLETION();
    private static final long MULTI = Libfabric.FI_MULTI_RECV();
    private static final long GROUP = Libfabric.FI_MULTICAST();

    final EndpointState state;
    final OperationKind operation;
    final BufferTable table = new BufferTable();
    private final Gate gate;
    private final SoleUser user = new SoleUser();
    /** Replaced, never changed, as operations under way keep them; but of {@link #only} they keep the content. */
    private MemorySegment[] buffers = EMPTY;
    private final MemorySegment[] only = new MemorySegment[1];
    private long byteSize;
    /** A joined copy that the provider was too busy for; null if there is none. */
    private JoinedMessage unsent;
    /** The offset in the only buffer. */
    private long first;
    private long peer = Address.ANY;
    /** The peer that was checked, and is posted for: another thread may set one meanwhile. */
    private long checkedPeer = Address.ANY;
    private long data;
    private boolean hasData;
    private long ownFlags;
    private boolean hasOwnFlags;
    /** Whether {@link #check} has to run again. */
    private boolean changed = true;

    RequestImpl(EndpointState state, Gate gate, OperationKind operation) {
        this.state = state;
        this.gate = gate;
        this.operation = operation;
        // the endpoint need not be enabled yet, but must not be closed
        state.object().fid();
        fillTable(EMPTY, 0, 0);
    }

    abstract R self();

    /** Checks that the parts fit together. */
    void check() {
    }

    /** Checks what can have changed since, in buffers beside {@link #segments}. */
    void checkMore() {
    }

    /** The unit of lengths in the table, as a power of 2. */
    int shift() {
        return 0;
    }

    /** The function that takes the parts one by one: one remote range, no flags, no data. */
    abstract long postVector(long fid, long token);

    /** The function that takes the struct. */
    abstract long postMessage(long fid, long token, long flags);

    /** Whether some providers take it only while nothing else is under way. */
    boolean goesAlone() {
        return false;
    }

    /** Whether the vector function can express it. */
    boolean fitsVector() {
        return true;
    }

    /** Fills in descriptors and the like; returns what is to be kept until the completion. */
    abstract Object prepare(Object keep);

    /** Whether descriptors that were filled in are of regions closed since; inside, with what was prepared. */
    boolean isStale(Object keep) {
        return state.localBuffers().isStale(table, keep);
    }

    /** Fills in descriptors of what the user has registered; makes no native call. */
    abstract void describeRegistered(String name);

    /** Fills in all that an operation needs that starts later. */
    void prepareLater(String name) {
        describeRegistered(name);
    }

    /** The {@code enum fi_op_type} of a deferred operation. */
    public abstract int deferredType();

    public final boolean receives() {
        return operation.receives();
    }

    /** Writes the struct of a deferred operation, which lives as long as the arena. */
    public abstract MemorySegment deferred(Arena arena, long fid, long context, long flags);

    public final R buffers(MemorySegment... newBuffers) {
        MemorySegment[] copy = Objects.requireNonNull(newBuffers, "buffers").clone();
        checkCount("", copy.length);
        Segments.usable(name(), copy, operation.fills());
        long total = Segments.size(name(), copy);
        begin();
        try {
            fillTable(copy, 0, total);
        } finally {
            end();
        }
        return self();
    }

    public final R buffer(MemorySegment buffer, long offset, long length) {
        Segments.usable(name(), buffer, operation.fills());
        Buffers.range(name(), buffer, offset, length);
        begin();
        try {
            only[0] = buffer;
            fillTable(only, offset, length);
        } finally {
            end();
        }
        return self();
    }

    final void checkCount(String what, int count) {
        LocalBuffers local = state.localBuffers();
        boolean message = operation.ordinal() <= OperationKind.TAGGED_RECEIVE.ordinal();
        int own = message && local != null && local.hasPrefix(!operation.receives()) ? 1 : 0;
        state.limits().checkLocal(name() + what, !operation.receives(), count,
                operation.receives() && state.tail() != null && state.tail().isNeeded() ? own + 1 : own);
    }

    /** Fills the table with a part of the only buffer, or with all buffers. */
    private void fillTable(MemorySegment[] newBuffers, long offset, long total) {
        startTable();
        if (newBuffers.length == 1) {
            table.add(newBuffers[0].address() + offset, total >>> shift());
        } else {
            table.addFilled(newBuffers, newBuffers.length == 0 ? 0 : shift());
        }
        buffers = newBuffers;
        first = offset;
        byteSize = total;
        changed = true;
    }

    /** Clears the table, except for what comes before the user's buffers. */
    void startTable() {
        table.clear();
    }

    public final R peer(long newPeer) {
        peer = newPeer;
        return self();
    }

    public final R data(long newData) {
        if (!operation.carriesData()) {
            throw new IllegalArgumentException(name() + ": this operation carries no immediate data");
        }
        state.limits().checkData(name());
        data = newData;
        hasData = true;
        return self();
    }

    public final R noData() {
        data = 0;
        hasData = false;
        return self();
    }

    public final R flags(OperationFlag... flags) {
        return flags(Flags.of(OperationFlag.class, Arguments.all("flags", "a flag", flags)));
    }

    public final R flags(Flags<OperationFlag> flags) {
        return flags(operation.check(Objects.requireNonNull(flags, "flags")), true);
    }

    public final R defaultFlags() {
        return flags(0, false);
    }

    /** Puts a range that has been checked into a table, in place of all others or behind them. */
    final void put(RangeTable into, boolean first, RemoteRegion region, long address, long length) {
        // may throw, and then the request is what it was
        long key = state.domain().key(region);
        begin();
        try {
            if (first) {
                into.clear();
            } else {
                state.limits().checkRemote(name(), into.count() + 1L);
            }
            into.add(name(), region, address, length, shift(), key);
            changed();
        } finally {
            end();
        }
    }

    private R flags(long flags, boolean own) {
        begin();
        try {
            ownFlags = state.limits().given(operation, flags);
            hasOwnFlags = own;
            changed = true;
        } finally {
            end();
        }
        return self();
    }

    /** Before changing or posting what the provider reads, one thread at a time; to be followed by {@link #end}. */
    public final void begin() {
        user.enter(operation);
    }

    public final void end() {
        user.leave();
    }

    public final FabricObject owner() {
        return state.face();
    }

    public final EndpointState state() {
        return state;
    }

    /** C's name of the operation. */
    public final String name() {
        return operation.messageName();
    }

    final void changed() {
        changed = true;
    }

    final long byteSize() {
        return byteSize;
    }

    /** The peer that it is posted for. */
    final long peer() {
        return checkedPeer;
    }

    final long data() {
        return data;
    }

    final MemorySegment[] segments() {
        return buffers;
    }

    /** The flags the operation has if a function takes them. */
    public final long flags() {
        long flags = hasOwnFlags ? ownFlags : operation.meaningful(
                operation.receives() ? state.receiveFlags() : state.transmitFlags());
        return hasData ? flags | DATA : flags;
    }

    /** As {@link #flags()}, but without the endpoint's default flags. */
    public final long namedFlags() {
        return ownFlags | (hasData ? DATA : 0);
    }

    public final boolean post(long context) {
        begin();
        try {
            return postAlone(context);
        } finally {
            end();
        }
    }

    private boolean postAlone(long context) {
        ready();
        long flags = flags();
        // the table may have a prefix, too, and leaves out empty buffers
        if (operation.sends() && state.limits().mustJoin(name(), Math.min(buffers.length, table.count()), byteSize,
                state.contexts().reportsTransmit(flags))) {
            return postJoined(context, flags);
        }
        return post(context, flags, (flags & MULTI) != 0 && operation.receives() ? part() : kept());
    }

    /** Posts a copy as one buffer; the others are back afterwards. */
    private boolean postJoined(long context, long flags) {
        MemorySegment[] several = buffers;
        JoinedMessage joined = JoinedMessage.of(several, byteSize, unsent);
        unsent = null;
        fillTable(new MemorySegment[] {joined.memory()}, 0, byteSize);
        try {
            boolean taken = post(context, flags, joined);
            unsent = taken ? null : joined;
            return taken;
        } finally {
            fillTable(several, 0, byteSize);
        }
    }

    private boolean post(long context, long flags, Object needed) {
        if (goesAlone() && !state.peers().mayFetch(name(), checkedPeer, !state.contexts().isRaw()
                && state.contexts().reportsTransmit(flags))) {
            return false;
        }
        Object keep = prepare(needed);
        long fid = enter(keep);
        while (state.describes() && isStale(keep)) {
            keep = prepare(LocalBuffers.startOver(keep, this::leave));
            fid = enter(keep);
        }
        try {
            if (flags != flags()) {
                // another thread has set others for the endpoint: as if the provider were busy
                Kept.release(keep);
                return false;
            }
            return post(fid, context, keep, flags);
        } finally {
            // the provider reads the tables and the struct, of which it has the addresses only
            Reference.reachabilityFence(this);
            leave();
        }
    }

    /** Goes in, once all was checked; to be followed by {@link #leave}. */
    public final long enter(Object keep) {
        return operation.receives() ? gate.enterToReceive(checkedPeer, keep)
                : (ownFlags & GROUP) != 0 ? gate.enterToGroup(checkedPeer, keep) : gate.enterTo(checkedPeer, keep);
    }

    public final void leave() {
        if (operation.receives()) {
            gate.leaveReceive();
        } else {
            gate.leave();
        }
    }

    private boolean post(long fid, long context, Object keep, long flags) {
        boolean tailed = operation.receives() && state.tail() != null
                && state.tail().ends(byteSize, table.count()) && (flags & MULTI) == 0;
        if (tailed && state.contexts().isSilent(flags)) {
            long token = state.contexts().silent().acquire(context, keep, byteSize, source());
            if (token != ContextSlab.FULL) {
                return post(fid, token, flags | COMPLETION, true, true);
            }
        }
        long token = LocalBuffers.reported(name(),
                token(context, keep, flags, tailed ? byteSize : ContextSlot.UNBOUNDED), keep);
        if (token == ContextSlab.FULL) {
            Kept.release(keep);
            return false;
        }
        return post(fid, token, flags, tailed, hasOwnFlags || hasData || !fitsVector());
    }

    private boolean post(long fid, long token, long flags, boolean tailed, boolean message) {
        long result;
        if (tailed) {
            table.add(state.tail());
        }
        try {
            result = message ? postMessage(fid, token, flags) : postVector(fid, token);
        } finally {
            if (tailed) {
                table.remove(state.tail());
            }
        }
        return result == 0
                || state.refused(message ? operation.messageName() : operation.vectorName(), result, token);
    }

    /**
     * Checks and fills in all that an operation needs which starts later, perhaps by what has arrived or was sent.
     * After {@link #begin}, which lasts until it is handed over.
     */
    public final void readyForLater(String laterName) {
        if ((flags() & MULTI) != 0) {
            throw new IllegalArgumentException(laterName + ": a receive that starts later takes one message; leave out "
                    + "MULTI_RECV, or post it without waiting for a counter");
        }
        if (hasData) {
            state.limits().checkDataLater(operation, laterName);
        }
        ready();
        prepareLater(laterName);
    }

    /** Fills in descriptors once more, inside, where no region can be closed: one may have been closed since. */
    public final void describeAgain(String laterName) {
        if (state.describes()) {
            describeRegistered(laterName);
        }
    }

    /** Hands an operation that starts later to the provider; inside the endpoint. */
    public final long postLater(long fid, long context, long flags) {
        return postMessage(fid, context, flags);
    }

    /** Checks everything that can be checked. */
    private void ready() {
        checkedPeer = peer;
        if (operation.receives()) {
            gate.checkFrom(checkedPeer);
        } else if ((ownFlags & GROUP) != 0) {
            gate.checkToGroup(checkedPeer);
        } else {
            gate.checkTo(checkedPeer);
        }
        Segments.usable(name(), buffers, operation.fills());
        checkMore();
        if (changed) {
            check();
            changed = false;
        }
        checkSizes();
    }

    /** At each post: the default flags may have changed, and with them what fits. */
    private void checkSizes() {
        long flags = flags();
        state.limits().checkOwnFlags(name(), ownFlags);
        state.limits().checkFlags(operation, name(), flags);
        if (operation == OperationKind.READ) {
            state.limits().checkRead(name(), byteSize);
        } else if (!operation.receives()) {
            state.limits().checkSend(name(), byteSize, flags);
            state.limits().checkInjectFlag(name(), flags, hasData || (flags & COMPLETION) != 0
                    || state.contexts().reportsAllTransmits());
        } else if ((flags & MULTI) != 0) {
            if (buffers.length != 1) {
                throw new IllegalArgumentException(name() + ": MULTI_RECV takes one buffer, not " + buffers.length);
            }
            state.multiReceives().check(name(), byteSize);
        }
    }

    private long token(long context, Object keep, long flags, long room) {
        byte kind = keep instanceof Kept ? ContextSlab.RESOURCES
                : room == ContextSlot.UNBOUNDED ? ContextSlab.PLAIN : ContextSlab.BOUNDED;
        if (!operation.receives()) {
            return state.contexts().transmit(context, keep, kind, flags);
        }
        return state.contexts().receive(context, keep,
                (flags & MULTI) != 0 ? ContextSlab.MULTI_RECV : kind, room, flags, source());
    }

    /** The peer, if receives are told apart by theirs. */
    private long source() {
        return operation == OperationKind.RECEIVE ? checkedPeer : Address.ANY;
    }

    /** As {@link #kept}, but only the part in use: messages are located from its start. */
    private MemorySegment part() {
        return byteSize == buffers[0].byteSize() ? buffers[0] : buffers[0].asSlice(first, byteSize);
    }

    /** What must stay reachable until the completion. */
    public Object kept() {
        return buffers.length == 1 ? buffers[0] : buffers;
    }
}
