// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.bindings.fi_msg;
import io.jfabric.bindings.fi_msg_atomic;
import io.jfabric.bindings.fi_msg_rma;
import io.jfabric.bindings.fi_msg_tagged;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.ops.MsgOps;
import io.jfabric.internal.ops.RmaOps;
import io.jfabric.internal.ops.TaggedOps;

/**
 * The functions of an endpoint where {@link Peers#sent} has to be told what the provider took: this is the one place
 * that knows the peer, the token and the answer, inside the endpoint. Injections have no token, receives are not sent.
 */
final class ContactOps {
    private ContactOps() {
    }

    private static long note(Peers peers, long result, long peer, long token) {
        if (result == 0) {
            peers.sent(peer, token);
        }
        return result;
    }

    /** Peer and token are in the struct. */
    private static long note(Peers peers, long result, long message, long peerAt, long tokenAt) {
        return note(peers, result, Memory.getLong(message + peerAt), Memory.getLong(message + tokenAt));
    }

    /** Messages. */
    static final class OfMessages extends MsgOps {
        private final Peers peers;

        OfMessages(Peers peers) {
            this.peers = peers;
        }

        @Override
        public long send(long fid, long buffer, long length, long desc, long destination, long context) {
            return note(peers, super.send(fid, buffer, length, desc, destination, context), destination, context);
        }

        @Override
        public long sendv(long fid, long iov, long desc, long count, long destination, long context) {
            return note(peers, super.sendv(fid, iov, desc, count, destination, context), destination, context);
        }

        @Override
        public long sendmsg(long fid, long message, long flags) {
            return note(peers, super.sendmsg(fid, message, flags), message, fi_msg.addr$offset(),
                    fi_msg.context$offset());
        }

        @Override
        public long senddata(long fid, long buffer, long length, long desc, long data, long destination, long context) {
            return note(peers, super.senddata(fid, buffer, length, desc, data, destination, context), destination,
                    context);
        }
    }

    /** Tagged messages. */
    static final class OfTagged extends TaggedOps {
        private final Peers peers;

        OfTagged(Peers peers) {
            this.peers = peers;
        }

        @Override
        public long send(long fid, long buffer, long length, long desc, long destination, long tag, long context) {
            return note(peers, super.send(fid, buffer, length, desc, destination, tag, context), destination, context);
        }

        @Override
        public long sendv(long fid, long iov, long desc, long count, long destination, long tag, long context) {
            return note(peers, super.sendv(fid, iov, desc, count, destination, tag, context), destination, context);
        }

        @Override
        public long sendmsg(long fid, long message, long flags) {
            return note(peers, super.sendmsg(fid, message, flags), message, fi_msg_tagged.addr$offset(),
                    fi_msg_tagged.context$offset());
        }

        @Override
        public long senddata(long fid, long buffer, long length, long desc, long data, long destination, long tag,
                long context) {
            return note(peers, super.senddata(fid, buffer, length, desc, data, destination, tag, context), destination,
                    context);
        }
    }

    /** Remote memory. */
    static final class OfRma extends RmaOps {
        private final Peers peers;

        OfRma(Peers peers) {
            this.peers = peers;
        }

        @Override
        public long read(long fid, long buffer, long length, long desc, long source, long address, long key,
                long context) {
            return note(peers, super.read(fid, buffer, length, desc, source, address, key, context), source, context);
        }

        @Override
        public long readv(long fid, long iov, long desc, long count, long source, long address, long key,
                long context) {
            return note(peers, super.readv(fid, iov, desc, count, source, address, key, context), source, context);
        }

        @Override
        public long readmsg(long fid, long message, long flags) {
            return note(peers, super.readmsg(fid, message, flags), message, fi_msg_rma.addr$offset(),
                    fi_msg_rma.context$offset());
        }

        @Override
        public long write(long fid, long buffer, long length, long desc, long destination, long address, long key,
                long context) {
            return note(peers, super.write(fid, buffer, length, desc, destination, address, key, context), destination,
                    context);
        }

        @Override
        public long writev(long fid, long iov, long desc, long count, long destination, long address, long key,
                long context) {
            return note(peers, super.writev(fid, iov, desc, count, destination, address, key, context), destination,
                    context);
        }

        @Override
        public long writemsg(long fid, long message, long flags) {
            return note(peers, super.writemsg(fid, message, flags), message, fi_msg_rma.addr$offset(),
                    fi_msg_rma.context$offset());
        }

        @Override
        public long writedata(long fid, long buffer, long length, long desc, long data, long destination, long address,
                long key, long context) {
            return note(peers, super.writedata(fid, buffer, length, desc, data, destination, address, key, context),
                    destination, context);
        }
    }

    /** Atomics that do not fetch: what does opens no connection. */
    static final class OfAtomics extends AtomicOps {
        private final Peers peers;

        OfAtomics(Peers peers) {
            this.peers = peers;
        }

        @Override
        public long write(long fid, long buffer, long count, long desc, long destination, long address, long key,
                int datatype, int op, long context) {
            return note(peers, super.write(fid, buffer, count, desc, destination, address, key, datatype, op, context),
                    destination, context);
        }

        @Override
        public long writev(long fid, long ioc, long desc, long count, long destination, long address, long key,
                int datatype, int op, long context) {
            return note(peers, super.writev(fid, ioc, desc, count, destination, address, key, datatype, op, context),
                    destination, context);
        }

        @Override
        public long writemsg(long fid, long message, long flags) {
            return note(peers, super.writemsg(fid, message, flags), message, fi_msg_atomic.addr$offset(),
                    fi_msg_atomic.context$offset());
        }
    }
}
