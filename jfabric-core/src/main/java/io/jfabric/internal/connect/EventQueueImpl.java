// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jfabric.EventException;
import io.jfabric.EventQueue;
import io.jfabric.FabricEvent;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_eq_attr;
import io.jfabric.bindings.fi_eq_entry;
import io.jfabric.bindings.fi_eq_err_entry;
import io.jfabric.internal.address.InsertionEvents;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.Facade;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.EqOps;
import io.jfabric.internal.ops.FabricOps;
import io.jfabric.internal.queue.Idle;
import io.jfabric.internal.queue.NativeWaitable;
import io.jfabric.internal.queue.Timeouts;
import io.jfabric.internal.queue.WaitObjectOffers;
import io.jfabric.internal.queue.WaitObjects;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.Sizes;
import io.jfabric.internal.watch.Watch;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** {@link EventQueue}. */
public final class EventQueueImpl extends FidObject implements EventQueue, InsertionEvents, NativeWaitable {
    private static final Log LOG = Log.of(EventQueue.class);
    /** More connection data than any provider carries. */
    private static final long ENTRY_BYTES = 4096;
    /** How many events that nobody has read are taken at once. */
    private static final int MOST_TAKEN = 4096;
    /** After so many turns, requests under way from peers that have just connected are here. */
    private static final int LAST_TURNS = 100;

    private final FabricState fabric;
    private final EventQueueAttributes attributes;
    private final WaitObject opened;
    private final boolean clearsErrno;
    /** One reader at a time: two crash some providers, and error data lives only until the next read. */
    private final ReentrantLock reading = new ReentrantLock();
    /** Events that come before those the provider still has. */
    private final Queue<TakenEvent> taken = new ConcurrentLinkedQueue<>();
    final EventSources sources = new EventSources();
    private final EventDecoder decoder;

    private EventQueueImpl(FabricState fabric, long handle, EventQueueAttributes attributes, WaitObject opened) {
        super(fabric.object(), handle);
        this.fabric = fabric;
        this.attributes = attributes;
        this.opened = opened;
        this.decoder = new EventDecoder(fabric, sources, this::find);
        this.clearsErrno = fabric.quirks().has(Quirk.ENDS_TAKE_ERRNO);
    }

    public static EventQueueImpl open(FabricState fabric, EventQueueAttributes attributes, FidObject waitSet) {
        if (attributes.waitObject() == WaitObject.MUTEX_COND
                && fabric.quirks().has(Quirk.EVENTS_WITHOUT_CONDITION)) {
            throw FabricException.of("fi_eq_open", Errno.ENOSYS, "provider " + fabric.provider() + " waits for a "
                    + "condition without its mutex; use WaitObject.FD or UNSPEC");
        }
        return WaitObjectOffers.open(attributes.waitObject(), waitSet, fabric.provider(),
                object -> open(fabric, attributes, object, waitSet));
    }

    private static EventQueueImpl open(FabricState fabric, EventQueueAttributes attributes, WaitObject object,
            FidObject waitSet) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_eq_attr.layout());
            fi_eq_attr.size(attr, Sizes.entries("fi_eq_open", attributes.size()));
            fi_eq_attr.flags(attr, attributes.writable() ? Libfabric.FI_WRITE() : 0);
            fi_eq_attr.wait_obj(attr, (int) object.code());
            return fabric.open("fi_eq_open", (f, result) -> {
                fi_eq_attr.wait_set(attr, WaitObjects.set(fabric.object(), waitSet));
                return FabricOps.eqOpen(f, attr.address(), result, 0);
            }, eq -> WaitObjects.using(new EventQueueImpl(fabric, eq, attributes, object), waitSet), null);
        }
    }

    @Override
    public EventQueueAttributes attributes() {
        return attributes;
    }

    @Override
    public Optional<FabricEvent> poll() {
        return readNow(0);
    }

    @Override
    public Optional<FabricEvent> peek() {
        return readNow(Libfabric.FI_PEEK());
    }

    private Optional<FabricEvent> readNow(long flags) {
        handle();
        if (!reading.tryLock()) {
            return Optional.empty();
        }
        try {
            return inside((eq, event, buffer) -> EqOps.read(eq, event, buffer, ENTRY_BYTES, flags), "fi_eq_read",
                    flags);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public Optional<FabricEvent> peek(Duration timeout) {
        return await(timeout, Libfabric.FI_PEEK());
    }

    @Override
    public Optional<FabricEvent> await(Duration timeout) {
        return await(timeout, 0);
    }

    private Optional<FabricEvent> await(Duration timeout, long flags) {
        Idle idle = new Idle(timeout);
        handle();
        WaitObjects.requireWaitable("fi_eq_sread", opened);
        if (WaitObjects.ignoresTimeout(fabric.quirks(), opened)) {
            return awaitByPolling(idle, flags);
        }
        try {
            if (!reading.tryLock(Timeouts.millis(timeout), TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        try {
            while (true) {
                int millis = idle.slice(Idle.SHORT_SLICE);
                Optional<FabricEvent> event = inside((eq, type, buffer) ->
                        EqOps.sread(eq, type, buffer, ENTRY_BYTES, millis, flags), "fi_eq_sread", flags);
                if (event.isPresent() || idle.isOver() || Thread.currentThread().isInterrupted()) {
                    return event;
                }
            }
        } finally {
            reading.unlock();
        }
    }

    private Optional<FabricEvent> awaitByPolling(Idle idle, long flags) {
        Optional<FabricEvent> event = readNow(flags);
        while (event.isEmpty() && !idle.isOver() && !Thread.currentThread().isInterrupted()) {
            idle.pause();
            event = readNow(flags);
        }
        return event;
    }

    @Override
    public void write(int type, long context, long data) {
        write(type, null, context, data);
    }

    @Override
    public void write(int type, FabricObject source, long context, long data) {
        FidObject sourceImpl = Facade.unwrap(source);
        handle();
        if (EventDecoder.isOwn(type)) {
            throw new IllegalArgumentException("fi_eq_write: type " + type + " is one of libfabric's own, which only "
                    + "a provider can write; take 0 (FI_NOTIFY), or 7 and above");
        }
        if (sourceImpl != null) {
            checkRelated("fi_eq_write", sourceImpl);
        }
        if (!attributes.writable()) {
            throw new IllegalStateException("fi_eq_write: the queue was not opened as writable, see "
                    + "EventQueueAttributes");
        }
        long token = sourceImpl == null ? context : sources.begin(sourceImpl, context);
        boolean written = false;
        try (Arena arena = Arena.ofConfined()) {
            // as long as the longest entry: providers read an event whose number they know as one of those
            MemorySegment entry = Structs.allocate(arena, fi_eq_entry.layout());
            fi_eq_entry.context(entry, MemorySegment.ofAddress(token));
            fi_eq_entry.data(entry, data);
            long result = call(eq -> {
                fi_eq_entry.fid(entry, MemorySegment.ofAddress(sourceImpl == null ? 0 : sourceImpl.fid()));
                return EqOps.write(eq, type, entry.address(), fi_eq_entry.sizeof(), 0);
            });
            check("fi_eq_write", result, null);
            written = true;
        } finally {
            if (!written) {
                sources.forget(token);
            }
        }
    }

    @Override
    public long begin(FidObject vector, long context) {
        return sources.begin(vector, context);
    }

    @Override
    public void forget(long token) {
        sources.forget(token);
    }

    @FunctionalInterface
    private interface Reader {
        long read(long eq, long event, long buffer);
    }

    /** Makes the event before anything that it is about can be closed. */
    private Optional<FabricEvent> inside(Reader reader, String operation, long flags) {
        long eq = entry().enter();
        if (eq == 0) {
            throw unusable();
        }
        Optional<FabricEvent> event = Optional.empty();
        EventException failure = null;
        try {
            event = read(eq, reader, operation, flags);
        } catch (EventException e) {
            failure = e;
        } finally {
            entry().leave();
        }
        // outside the queue: whoever closes it together with the endpoint also waits until nobody is inside
        if (flags == 0) {
            endReceives(event.orElse(null), failure);
        }
        if (failure != null) {
            throw failure;
        }
        return event;
    }

    private static void endReceives(FabricEvent event, EventException failure) {
        try {
            if (event instanceof FabricEvent.Shutdown ended && ended.endpoint() instanceof Connected endpoint) {
                endpoint.connection().endedForReceives();
            } else if (failure != null && failure.source().orElse(null) instanceof Connected endpoint) {
                endpoint.connection().refused();
            }
        } catch (RuntimeException e) {
            // the event was taken from the queue, and is not to be lost
            if (failure != null) {
                failure.addSuppressed(e);
            } else {
                LOG.warn("receives of a connection that has ended may stay posted until its endpoint is closed", e);
            }
        }
    }

    private Optional<FabricEvent> read(long eq, Reader reader, String operation, long flags) {
        TakenEvent first = flags == 0 ? taken.poll() : taken.peek();
        if (first != null) {
            if (first.error() != null) {
                throw first.error();
            }
            return Optional.ofNullable(decoder.decode(first.type(), first.source(), first.entry(), first.length(),
                    flags));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(JAVA_INT);
            MemorySegment buffer = arena.allocate(ENTRY_BYTES, 8);
            clearErrno();
            long result = reader.read(eq, event.address(), buffer.address());
            if (result > 0) {
                return Optional.ofNullable(decoder.decode(event.get(JAVA_INT, 0), decoder.source(buffer), buffer,
                        result, flags));
            }
            switch ((int) -result) {
                case 0, Errno.EAGAIN, Errno.EINTR, Errno.ETIMEDOUT -> {
                    return Optional.empty();
                }
                case Errno.EAVAIL -> {
                    return error(eq, arena, flags);
                }
                default -> throw FabricException.of(operation, result, "provider " + fabric.provider());
            }
        }
    }

    private void clearErrno() {
        if (clearsErrno) {
            LibC.clearErrno();
        }
    }

    /** Takes the unread requests to a listener, while no other thread is inside; other unread events stay. */
    List<FabricInfoImpl> takeRequests(long listener) {
        takeAll();
        List<FabricInfoImpl> found = new ArrayList<>();
        taken.removeIf(event -> event.isRequestTo(listener)
                && found.add(FabricInfoImpl.owning(event.info(), fabric.provider())));
        return found;
    }

    private void takeAll() {
        long eq = fid();
        for (int n = 0; n < MOST_TAKEN && take(eq); n++) {
            // all, unless others connect without end
        }
    }

    /** Peers whose requests went to a listener that is closed, but not yet by the provider, wait for an answer. */
    @Override
    protected void closing() {
        ConnectionRequests requests = fabric.connectionRequests();
        if (!requests.mayStillCome()) {
            return;
        }
        try {
            for (int turn = 0; turn < LAST_TURNS; turn++) {
                takeAll();
                Thread.yield();
            }
            List<TakenEvent> unread = new ArrayList<>();
            taken.removeIf(event -> event.isRequest() && unread.add(event));
            unread.forEach(event -> requests.refuse(event.listener(),
                    FabricInfoImpl.owning(event.info(), fabric.provider())));
        } catch (RuntimeException failed) {
            LOG.warn("{} is closed although requests in it could not be refused: who asked is not told", this, failed);
        }
    }

    private boolean take(long eq) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(JAVA_INT);
            MemorySegment entry = arena.allocate(ENTRY_BYTES, 8);
            clearErrno();
            long result = EqOps.read(eq, event.address(), entry.address(), ENTRY_BYTES, 0);
            if (result > 0) {
                // kept for as long as nobody reads it
                MemorySegment kept = Arena.ofAuto().allocate(ENTRY_BYTES, 8).copyFrom(entry);
                return taken.add(new TakenEvent(event.get(JAVA_INT, 0), decoder.source(kept), kept, result, null));
            }
            return result == -Errno.EAVAIL && error(eq, arena, 0).isPresent();
        } catch (EventException e) {
            return taken.add(TakenEvent.of(e));
        }
    }

    /** While there are taken events, as the provider would say that there is nothing to read. */
    @Override
    public boolean isPollOnly() {
        return !taken.isEmpty();
    }

    /** Whether there may be something to read; the caller is inside. Another thread that is reading may take it. */
    public boolean mayHoldEvents() {
        if (!reading.tryLock()) {
            return true;
        }
        try (Arena arena = Arena.ofConfined()) {
            long result = EqOps.read(fid(), arena.allocate(JAVA_INT).address(),
                    arena.allocate(ENTRY_BYTES, 8).address(), ENTRY_BYTES, Libfabric.FI_PEEK());
            return result > 0 || result == -Errno.EAVAIL;
        } finally {
            reading.unlock();
        }
    }

    /** Throws the error; returns nothing if another reader has taken it. */
    private Optional<FabricEvent> error(long eq, Arena arena, long flags) {
        // zero-filled: a non-zero err_data_size would mean that we brought a buffer for it
        MemorySegment entry = Structs.allocate(arena, fi_eq_err_entry.layout());
        long result = EqOps.readerr(eq, entry.address(), flags);
        if (result == -Errno.EAGAIN || result == 0) {
            return Optional.empty();
        }
        check("fi_eq_readerr", result, null);
        EventException failure = decoder.failure(eq, entry, flags);
        Watch.failed(failure.source().orElse(null), failure.context(), failure.errno(), failure.getMessage());
        throw failure;
    }

    @Override
    public WaitObject requestedWaitObject() {
        return opened;
    }

    @Override
    public String kind() {
        return "event queue";
    }

    @Override
    protected int closeRank() {
        return CloseRank.QUEUE;
    }
}
