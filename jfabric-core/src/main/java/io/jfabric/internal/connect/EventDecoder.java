// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.AddressVector;
import io.jfabric.EventException;
import io.jfabric.FabricEvent;
import io.jfabric.MemoryRegion;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_eq_cm_entry;
import io.jfabric.bindings.fi_eq_entry;
import io.jfabric.bindings.fi_eq_err_entry;
import io.jfabric.internal.address.InsertsLater;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.EqOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongFunction;

/** What the entries of an event queue say. */
final class EventDecoder {
    // enum values of rdma/fi_eq.h, as a switch wants them
    static final int CONNREQ = 1;
    private static final int CONNECTED = 2;
    private static final int SHUTDOWN = 3;
    private static final int MR_COMPLETE = 4;
    private static final int AV_COMPLETE = 5;
    private static final int JOIN_COMPLETE = 6;

    private static final int TEXT_BYTES = 1024;

    private final FabricState fabric;
    private final EventSources sources;
    /** The open object at an address. */
    private final LongFunction<FidObject> objects;

    EventDecoder(FabricState fabric, EventSources sources, LongFunction<FidObject> objects) {
        this.fabric = fabric;
        this.sources = sources;
        this.objects = objects;
    }

    /** Whether only providers write events of that type. */
    static boolean isOwn(int type) {
        return type >= CONNREQ && type <= JOIN_COMPLETE;
    }

    /** Null for an event that nobody could use: a request for a closed passive endpoint, the join of a closed group. */
    FabricEvent decode(int type, FidObject source, MemorySegment buffer, long length, long flags) {
        long context = fi_eq_entry.context(buffer).address();
        long data = fi_eq_entry.data(buffer);
        return switch (type) {
            case CONNREQ -> request(source, buffer, connectionData(buffer, length), flags);
            case CONNECTED -> {
                if (source instanceof Connected endpoint && flags == 0) {
                    endpoint.connection().established();
                }
                yield connected(source, buffer, length);
            }
            case SHUTDOWN -> {
                if (source instanceof Connected endpoint && flags == 0) {
                    endpoint.connection().ended();
                }
                yield new FabricEvent.Shutdown(source instanceof Connected endpoint ? endpoint.endpoint() : null);
            }
            case MR_COMPLETE -> new FabricEvent.MemoryRegistered(
                    source instanceof MemoryRegion region ? region : null, context);
            case AV_COMPLETE -> {
                EventSources.Source about = about(source, context, flags);
                if (about.object() instanceof InsertsLater vector && flags == 0) {
                    vector.inserted(context);
                }
                yield new FabricEvent.AddressesInserted(about.object() instanceof AddressVector vector ? vector : null,
                        about.context(), data);
            }
            case JOIN_COMPLETE -> {
                checkJoin(buffer, length, source, context, flags);
                yield joined(source, context, flags);
            }
            default -> {
                EventSources.Source about = about(source, context, flags);
                yield new FabricEvent.Notify(type, about.object(), about.context(), data);
            }
        };
    }

    FidObject source(MemorySegment buffer) {
        return objects.apply(fi_eq_entry.fid(buffer).address());
    }

    /** What an event is about; if nobody asked for it here, what the provider says. */
    private EventSources.Source about(FidObject source, long context, long flags) {
        EventSources.Source asked = flags == 0 ? sources.take(context) : sources.find(context);
        return asked == null ? new EventSources.Source(source, context) : asked;
    }

    // some providers write an error entry here without saying so
    private void checkJoin(MemorySegment buffer, long length, FidObject source, long context, long flags) {
        int err = length < fi_eq_err_entry.sizeof() ? 0 : Math.abs(fi_eq_err_entry.err(buffer));
        if (err != 0) {
            PendingJoins.Join join = broken(context, flags);
            throw new EventException(join == null ? source : join.group(), join == null ? context : join.context(), 0,
                    err, 0, Exports.strerror(err), new byte[0]);
        }
    }

    private PendingJoins.Join broken(long context, long flags) {
        return flags == 0 ? fabric.joins().broken(context) : fabric.joins().find(context);
    }

    private FabricEvent request(FidObject source, MemorySegment buffer, byte[] data, long flags) {
        PassiveEndpointImpl listener = source instanceof PassiveEndpointImpl p ? p : null;
        if (flags != 0) {
            return new ConnectionRequestImpl(listener, null, data);
        }
        if (fi_eq_cm_entry.info(buffer).address() == 0) {
            return null;
        }
        FabricInfoImpl info = FabricInfoImpl.owning(fi_eq_cm_entry.info(buffer).address(), fabric.provider());
        if (listener == null) {
            fabric.connectionRequests().refuse(fi_eq_cm_entry.fid(buffer).address(), info);
            return null;
        }
        fabric.connectionRequests().add(info, listener);
        return new ConnectionRequestImpl(listener, info, data);
    }

    private FabricEvent joined(FidObject source, long context, long flags) {
        PendingJoins.Join group = flags == 0 ? fabric.joins().completed(context) : fabric.joins().find(context);
        if (group != null) {
            return new FabricEvent.JoinComplete(group.group(), group.context());
        }
        // nobody has the group any more, nor the context that was given with it
        return fabric.joins().isPast(context) ? null : new FabricEvent.JoinComplete(source, context);
    }

    /** Only the side that asked for the connection gets data; on the other side some providers have not written any. */
    private static FabricEvent connected(FidObject source, MemorySegment buffer, long length) {
        if (source instanceof Connected endpoint) {
            return new FabricEvent.Connected(endpoint.endpoint(),
                    endpoint.connection().isFromRequest() ? new byte[0] : connectionData(buffer, length));
        }
        return new FabricEvent.Connected(null, new byte[0]);
    }

    private static byte[] connectionData(MemorySegment buffer, long length) {
        long offset = fi_eq_cm_entry.data$offset();
        return length <= offset ? new byte[0] : buffer.asSlice(offset, length - offset).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Decodes an error entry. */
    EventException failure(long eq, MemorySegment entry, long flags) {
        int err = Math.abs(fi_eq_err_entry.err(entry));
        int providerErrno = fi_eq_err_entry.prov_errno(entry);
        long data = fi_eq_err_entry.err_data(entry).address();
        long size = fi_eq_err_entry.err_data_size(entry);
        String reason;
        try (Arena arena = Arena.ofConfined()) {
            reason = EqOps.strerror(eq, providerErrno, data, arena.allocate(TEXT_BYTES).address(), TEXT_BYTES);
        }
        long context = fi_eq_err_entry.context(entry).address();
        PendingJoins.Join join = broken(context, flags);
        // the error of one address; the event that the insertion is done still follows
        EventSources.Source about = about(objects.apply(fi_eq_err_entry.fid(entry).address()), context,
                Libfabric.FI_PEEK());
        return new EventException(about.object(), join == null ? about.context() : join.context(),
                fi_eq_err_entry.data(entry), err, providerErrno,
                reason == null || reason.isEmpty() ? Exports.strerror(err) : reason,
                data == 0 || size == 0 ? new byte[0] : Memory.bytes(data, size));
    }
}
