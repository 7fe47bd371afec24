// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_eq_attr;
import io.jfabric.bindings.fi_eq_cm_entry;
import io.jfabric.bindings.fi_eq_entry;
import io.jfabric.bindings.fi_eq_err_entry;
import io.jfabric.ffi.EqOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Exports;
import io.jfabric.ffi.FabricOps;
import io.jfabric.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Optional;

/**
 * Where control operations report: connections, asynchronous insertions, joins (fi_eq(3)). Thread-safe as far as the
 * provider is; each event goes to one reader.
 */
public final class EventQueue extends FabricObject implements Waitable {
    /** More connection data than any provider carries. */
    private static final long ENTRY_BYTES = 4096;
    private static final int TEXT_BYTES = 1024;

    // enum values of rdma/fi_eq.h, as a switch wants them
    private static final int CONNREQ = 1;
    private static final int CONNECTED = 2;
    private static final int SHUTDOWN = 3;
    private static final int MR_COMPLETE = 4;
    private static final int AV_COMPLETE = 5;
    private static final int JOIN_COMPLETE = 6;

    private final Fabric fabric;
    private final WaitObject opened;

    private EventQueue(Fabric fabric, long handle, WaitObject opened) {
        super(fabric, handle);
        this.fabric = fabric;
        this.opened = opened;
    }

    static EventQueue open(Fabric fabric, EventQueueAttributes attributes, long waitSet) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_eq_attr.allocate(arena);
            fi_eq_attr.size(attr, attributes.size());
            fi_eq_attr.flags(attr, attributes.writable() ? Libfabric.FI_WRITE() : 0);
            WaitObject object = waitSet == 0 ? attributes.waitObject() : WaitObject.SET;
            fi_eq_attr.wait_obj(attr, (int) object.code());
            fi_eq_attr.wait_set(attr, MemorySegment.ofAddress(waitSet));
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check("fi_eq_open", FabricOps.eqOpen(fabric.handle(), attr.address(), result.address(), 0),
                    "provider " + fabric.provider());
            return new EventQueue(fabric, result.get(ValueLayout.JAVA_LONG, 0), object);
        }
    }

    /**
     * Takes the next event, if there is one ({@code fi_eq_read}).
     *
     * @return the event
     * @throws EventException if the next entry is an error
     */
    public Optional<FabricEvent> read() {
        return read((event, buffer) -> EqOps.read(handle(), event, buffer, ENTRY_BYTES, 0), "fi_eq_read", 0);
    }

    /**
     * Looks at the next event without taking it ({@code FI_PEEK}). A connection request's info is not handed out.
     *
     * @return the event
     * @throws EventException if the next entry is an error; it is left in the queue
     */
    public Optional<FabricEvent> peek() {
        return read((event, buffer) -> EqOps.read(handle(), event, buffer, ENTRY_BYTES, Libfabric.FI_PEEK()),
                "fi_eq_read", Libfabric.FI_PEEK());
    }

    /**
     * Waits for the next event ({@code fi_eq_sread}). The queue must have been opened with a wait object.
     *
     * @param timeout how long
     * @return the event; empty if the time is up
     * @throws EventException if the next entry is an error
     */
    public Optional<FabricEvent> await(Duration timeout) {
        handle();
        WaitObjects.requireWaitable("fi_eq_sread", opened);
        if (WaitObjects.ignoresTimeout(fabric.provider(), opened)) {
            Idle idle = new Idle(timeout);
            Optional<FabricEvent> event = read();
            while (event.isEmpty() && !idle.isOver()) {
                idle.pause();
                event = read();
            }
            return event;
        }
        int millis = Timeouts.millis(timeout);
        return read((event, buffer) -> EqOps.sread(handle(), event, buffer, ENTRY_BYTES, millis, 0), "fi_eq_sread", 0);
    }

    /**
     * Writes an event of the application's own ({@code fi_eq_write}).
     *
     * @param type the number of the event
     * @param context comes back in {@link FabricEvent.Notify}
     * @param data comes back in {@link FabricEvent.Notify}
     */
    public void write(int type, long context, long data) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = fi_eq_entry.allocate(arena);
            fi_eq_entry.context(entry, MemorySegment.ofAddress(context));
            fi_eq_entry.data(entry, data);
            check("fi_eq_write", EqOps.write(handle(), type, entry.address(), entry.byteSize(), 0), null);
        }
    }

    @FunctionalInterface
    private interface Reader {
        long read(long event, long buffer);
    }

    private Optional<FabricEvent> read(Reader reader, String operation, long flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(JAVA_INT);
            MemorySegment buffer = arena.allocate(ENTRY_BYTES, 8);
            long result = reader.read(event.address(), buffer.address());
            if (result > 0) {
                return Optional.of(decode(event.get(JAVA_INT, 0), buffer, result, flags));
            }
            switch ((int) -result) {
                case 0, Errno.EAGAIN, Errno.EINTR, Errno.ETIMEDOUT -> {
                    return Optional.empty();
                }
                case Errno.EAVAIL -> throw error(arena, flags);
                default -> throw FabricException.of(operation, result, "provider " + fabric.provider());
            }
        }
    }

    private FabricEvent decode(int type, MemorySegment buffer, long length, long flags) {
        FabricObject source = fabric.find(fi_eq_entry.fid(buffer).address());
        long context = fi_eq_entry.context(buffer).address();
        long data = fi_eq_entry.data(buffer);
        return switch (type) {
            case CONNREQ -> new FabricEvent.ConnectionRequest(source, flags != 0 ? null
                    : FabricInfo.owning(fi_eq_cm_entry.info(buffer).address()), connectionData(buffer, length));
            case CONNECTED -> new FabricEvent.Connected(source, connectionData(buffer, length));
            case SHUTDOWN -> new FabricEvent.Shutdown(source);
            case MR_COMPLETE -> new FabricEvent.MemoryRegistered(source, context);
            case AV_COMPLETE -> new FabricEvent.AddressesInserted(source, context, data);
            case JOIN_COMPLETE -> joined(source, context, flags);
            default -> new FabricEvent.Notify(type, context, data);
        };
    }

    private FabricEvent joined(FabricObject source, long context, long flags) {
        CollectiveGroup group = flags == 0 ? fabric.joins().completed(context) : fabric.joins().find(context);
        return group == null ? new FabricEvent.JoinComplete(source, context)
                : new FabricEvent.JoinComplete(group, group.context());
    }

    private static byte[] connectionData(MemorySegment buffer, long length) {
        long offset = fi_eq_cm_entry.data$offset();
        return length <= offset ? new byte[0] : buffer.asSlice(offset, length - offset).toArray(ValueLayout.JAVA_BYTE);
    }

    private EventException error(Arena arena, long flags) {
        long eq = handle();
        // zero-filled: a non-zero err_data_size would mean that we brought a buffer for it
        MemorySegment entry = fi_eq_err_entry.allocate(arena);
        check("fi_eq_readerr", EqOps.readerr(eq, entry.address(), flags), null);
        int err = fi_eq_err_entry.err(entry);
        int providerErrno = fi_eq_err_entry.prov_errno(entry);
        long data = fi_eq_err_entry.err_data(entry).address();
        long size = fi_eq_err_entry.err_data_size(entry);
        MemorySegment text = arena.allocate(TEXT_BYTES);
        String reason = EqOps.strerror(eq, providerErrno, data, text.address(), TEXT_BYTES);
        return new EventException(fabric.find(fi_eq_err_entry.fid(entry).address()),
                fi_eq_err_entry.context(entry).address(), fi_eq_err_entry.data(entry), err, providerErrno,
                reason == null || reason.isEmpty() ? Exports.strerror(err) : reason,
                data == 0 || size == 0 ? new byte[0] : Memory.bytes(data, size));
    }

    @Override
    public WaitObject openedWith() {
        return opened;
    }

    @Override
    String kind() {
        return "event queue";
    }

    @Override
    int closeRank() {
        return CloseRank.QUEUE;
    }
}
