// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.ops.MsgOps;
import io.jfabric.internal.ops.RmaOps;
import io.jfabric.internal.ops.TaggedOps;
import java.util.function.LongSupplier;

/**
 * The functions of an endpoint that has a {@link FetchGuard}: this is the one place that knows the peer, the token, the
 * length and the answer, inside the endpoint. Injections have no token, receives are not sent.
 */
final class GuardedOps {
    private static final int ENTRY_BYTES = 16;
    private static final long SEVERAL = Long.MAX_VALUE;

    private GuardedOps() {
    }

    /** Of an array of {@code struct iovec}, in bytes, or of {@code struct fi_ioc}, in elements. */
    static long total(long table, long count) {
        long bytes = 0;
        for (long at = table; at < table + count * ENTRY_BYTES; at += ENTRY_BYTES) {
            bytes += Memory.getLong(at + Long.BYTES);
        }
        return bytes;
    }

    /** Messages. */
    static final class OfMessages extends MsgOps {
        private final FetchGuard guard;

        OfMessages(FetchGuard guard) {
            this.guard = guard;
        }

        @Override
        public long send(long fid, long buffer, long length, long desc, long destination, long context) {
            return guard.send(destination, context, length, false,
                    () -> super.send(fid, buffer, length, desc, destination, context));
        }

        @Override
        public long sendv(long fid, long iov, long desc, long count, long destination, long context) {
            return guard.send(destination, context, total(iov, count), false,
                    () -> super.sendv(fid, iov, desc, count, destination, context));
        }

        @Override
        public long sendmsg(long fid, long message, long flags) {
            return guard.send(Memory.getLong(message + fi_msg.addr$offset()),
                    Memory.getLong(message + fi_msg.context$offset()),
                    total(Memory.getLong(message + fi_msg.msg_iov$offset()),
                            Memory.getLong(message + fi_msg.iov_count$offset())), false,
                    () -> super.sendmsg(fid, message, flags));
        }

        @Override
        public long inject(long fid, long buffer, long length, long destination) {
            return guard.send(destination, 0, length, false, () -> super.inject(fid, buffer, length, destination));
        }

        @Override
        public long senddata(long fid, long buffer, long length, long desc, long data, long destination, long context) {
            return guard.send(destination, context, length, false,
                    () -> super.senddata(fid, buffer, length, desc, data, destination, context));
        }

        @Override
        public long injectdata(long fid, long buffer, long length, long data, long destination) {
            return guard.send(destination, 0, length, false,
                    () -> super.injectdata(fid, buffer, length, data, destination));
        }
    }

    /** Tagged messages. */
    static final class OfTagged extends TaggedOps {
        private final FetchGuard guard;

        OfTagged(FetchGuard guard) {
            this.guard = guard;
        }

        @Override
        public long send(long fid, long buffer, long length, long desc, long destination, long tag, long context) {
            return guard.send(destination, context, length, false,
                    () -> super.send(fid, buffer, length, desc, destination, tag, context));
        }

        @Override
        public long sendv(long fid, long iov, long desc, long count, long destination, long tag, long context) {
            return guard.send(destination, context, total(iov, count), false,
                    () -> super.sendv(fid, iov, desc, count, destination, tag, context));
        }

        @Override
        public long sendmsg(long fid, long message, long flags) {
            return guard.send(Memory.getLong(message + fi_msg_tagged.addr$offset()),
                    Memory.getLong(message + fi_msg_tagged.context$offset()),
                    total(Memory.getLong(message + fi_msg_tagged.msg_iov$offset()),
                            Memory.getLong(message + fi_msg_tagged.iov_count$offset())), false,
                    () -> super.sendmsg(fid, message, flags));
        }

        @Override
        public long inject(long fid, long buffer, long length, long destination, long tag) {
            return guard.send(destination, 0, length, false, () -> super.inject(fid, buffer, length, destination, tag));
        }

        @Override
        public long senddata(long fid, long buffer, long length, long desc, long data, long destination, long tag,
                long context) {
            return guard.send(destination, context, length, false,
                    () -> super.senddata(fid, buffer, length, desc, data, destination, tag, context));
        }

        @Override
        public long injectdata(long fid, long buffer, long length, long data, long destination, long tag) {
            return guard.send(destination, 0, length, false,
                    () -> super.injectdata(fid, buffer, length, data, destination, tag));
        }
    }

    /** Remote memory. */
    static final class OfRma extends RmaOps {
        private final FetchGuard guard;

        OfRma(FetchGuard guard) {
            this.guard = guard;
        }

        @Override
        public long read(long fid, long buffer, long length, long desc, long source, long address, long key,
                long context) {
            return guard.send(source, context, length, true,
                    () -> super.read(fid, buffer, length, desc, source, address, key, context));
        }

        @Override
        public long readv(long fid, long iov, long desc, long count, long source, long address, long key,
                long context) {
            return guard.send(source, context, total(iov, count), true,
                    () -> super.readv(fid, iov, desc, count, source, address, key, context));
        }

        @Override
        public long readmsg(long fid, long message, long flags) {
            return request(message, true, () -> super.readmsg(fid, message, flags));
        }

        @Override
        public long write(long fid, long buffer, long length, long desc, long destination, long address, long key,
                long context) {
            return guard.send(destination, context, length, false,
                    () -> super.write(fid, buffer, length, desc, destination, address, key, context));
        }

        @Override
        public long writev(long fid, long iov, long desc, long count, long destination, long address, long key,
                long context) {
            return guard.send(destination, context, total(iov, count), false,
                    () -> super.writev(fid, iov, desc, count, destination, address, key, context));
        }

        @Override
        public long writemsg(long fid, long message, long flags) {
            return request(message, false, () -> super.writemsg(fid, message, flags));
        }

        @Override
        public long inject(long fid, long buffer, long length, long destination, long address, long key) {
            return guard.send(destination, 0, length, false,
                    () -> super.inject(fid, buffer, length, destination, address, key));
        }

        @Override
        public long writedata(long fid, long buffer, long length, long desc, long data, long destination, long address,
                long key, long context) {
            return guard.send(destination, context, length, false,
                    () -> super.writedata(fid, buffer, length, desc, data, destination, address, key, context));
        }

        @Override
        public long injectdata(long fid, long buffer, long length, long data, long destination, long address,
                long key) {
            return guard.send(destination, 0, length, false,
                    () -> super.injectdata(fid, buffer, length, data, destination, address, key));
        }

        private long request(long message, boolean reads, LongSupplier call) {
            long length = Memory.getLong(message + fi_msg_rma.rma_iov_count$offset()) > 1 ? SEVERAL
                    : total(Memory.getLong(message + fi_msg_rma.msg_iov$offset()),
                            Memory.getLong(message + fi_msg_rma.iov_count$offset()));
            return guard.send(Memory.getLong(message + fi_msg_rma.addr$offset()),
                    Memory.getLong(message + fi_msg_rma.context$offset()), length, reads, call);
        }
    }

    /** Atomics: all are short, and none is injected. */
    static final class OfAtomics extends AtomicOps {
        private final FetchGuard guard;

        OfAtomics(FetchGuard guard) {
            this.guard = guard;
        }

        @Override
        public long write(long fid, long buffer, long count, long desc, long destination, long address, long key,
                int datatype, int op, long context) {
            return guard.send(destination, context, 0, false,
                    () -> super.write(fid, buffer, count, desc, destination, address, key, datatype, op, context));
        }

        @Override
        public long writev(long fid, long ioc, long desc, long count, long destination, long address, long key,
                int datatype, int op, long context) {
            return guard.send(destination, context, 0, false,
                    () -> super.writev(fid, ioc, desc, count, destination, address, key, datatype, op, context));
        }

        @Override
        public long writemsg(long fid, long message, long flags) {
            LongSupplier call = () -> super.writemsg(fid, message, flags);
            return Memory.getLong(message + fi_msg_atomic.rma_iov_count$offset()) > 1
                    ? guard.fetch(peer(message), token(message), call)
                    : guard.send(peer(message), token(message), 0, false, call);
        }

        @Override
        public long readwrite(long fid, long buffer, long count, long desc, long result, long resultDesc,
                long destination, long address, long key, int datatype, int op, long context) {
            return guard.fetch(destination, context, () -> super.readwrite(fid, buffer, count, desc, result,
                    resultDesc, destination, address, key, datatype, op, context));
        }

        @Override
        public long readwritev(long fid, long ioc, long desc, long count, long result, long resultDesc,
                long resultCount, long destination, long address, long key, int datatype, int op, long context) {
            return guard.fetch(destination, context, () -> super.readwritev(fid, ioc, desc, count, result, resultDesc,
                    resultCount, destination, address, key, datatype, op, context));
        }

        @Override
        public long readwritemsg(long fid, long message, long result, long resultDesc, long resultCount, long flags) {
            return guard.fetch(peer(message), token(message),
                    () -> super.readwritemsg(fid, message, result, resultDesc, resultCount, flags));
        }

        @Override
        public long compwrite(long fid, long buffer, long count, long desc, long compare, long compareDesc,
                long result, long resultDesc, long destination, long address, long key, int datatype, int op,
                long context) {
            return guard.fetch(destination, context, () -> super.compwrite(fid, buffer, count, desc, compare,
                    compareDesc, result, resultDesc, destination, address, key, datatype, op, context));
        }

        @Override
        public long compwritev(long fid, long ioc, long desc, long count, long compare, long compareDesc,
                long compareCount, long result, long resultDesc, long resultCount, long destination, long address,
                long key, int datatype, int op, long context) {
            return guard.fetch(destination, context, () -> super.compwritev(fid, ioc, desc, count, compare,
                    compareDesc, compareCount, result, resultDesc, resultCount, destination, address, key, datatype,
                    op, context));
        }

        @Override
        public long compwritemsg(long fid, long message, long compare, long compareDesc, long compareCount,
                long result, long resultDesc, long resultCount, long flags) {
            return guard.fetch(peer(message), token(message), () -> super.compwritemsg(fid, message, compare,
                    compareDesc, compareCount, result, resultDesc, resultCount, flags));
        }

        private static long peer(long message) {
            return Memory.getLong(message + fi_msg_atomic.addr$offset());
        }

        private static long token(long message) {
            return Memory.getLong(message + fi_msg_atomic.context$offset());
        }
    }
}
