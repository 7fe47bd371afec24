// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.RemoteRegion;
import io.jfabric.async.Operations;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** {@link Operations} of a node, with these deadlines. */
public final class OperationsImpl implements Operations {
    private final Common common;
    private final Drive drive;
    private final long deadline;
    private final long receiveDeadline;
    private final Lane receives;
    private final boolean reserved;

    /** For the program. */
    public OperationsImpl(Common common, long deadline, long receiveDeadline) {
        this(common, deadline, receiveDeadline, common.receives(), false);
    }

    /** With the tags of the node's own messages. */
    public static OperationsImpl reserved(Common common, long deadline, long receiveDeadline, Lane receives) {
        return new OperationsImpl(common, deadline, receiveDeadline, receives, true);
    }

    private OperationsImpl(Common common, long deadline, long receiveDeadline, Lane receives, boolean reserved) {
        this.common = common;
        this.drive = common.drive();
        this.deadline = deadline;
        this.receiveDeadline = receiveDeadline;
        this.receives = receives;
        this.reserved = reserved;
    }

    private long allowed(long tag) {
        return reserved ? tag : OwnTags.checked(tag);
    }

    private long end() {
        return Clock.after(deadline);
    }

    private PeerImpl known(String what, Peer peer) {
        PeerImpl known = (PeerImpl) Objects.requireNonNull(peer, () -> what + ": the peer is null");
        known.check(what, common.node());
        return known;
    }

    private MemorySegment given(String what, MemorySegment buffer) {
        return checked(what, Objects.requireNonNull(buffer, () -> what + ": the buffer is null"));
    }

    /** For operations that level 1 has only for whole buffers. */
    private static MemorySegment part(String what, MemorySegment buffer, long offset, long length) {
        Buffers.range(what, Objects.requireNonNull(buffer, () -> what + ": the buffer is null"), offset, length);
        return buffer.asSlice(offset, length);
    }

    /** Checks even what this thread will post itself: otherwise it would work until the provider is busy once. */
    private MemorySegment checked(String what, MemorySegment buffer) {
        if (buffer != null && !reserved && drive.hasEngine()) {
            Buffers.checkForAnyThread(what, "the memory", buffer);
        }
        return buffer;
    }

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, Peer peer) {
        return send(buffer, 0, given("send", buffer).byteSize(), peer);
    }

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, long offset, long length, Peer peer) {
        return drive.start(new Send(drive, known("send", peer), end(), given("send", buffer), offset, length, false,
                0));
    }

    @Override
    public CompletableFuture<Void> send(List<MemorySegment> buffers, Peer peer) {
        MemorySegment[] pieces = BufferList.toSend(buffers, common);
        return pieces.length > 1 ? gather(pieces, peer, false, 0) : send(only(pieces), peer);
    }

    @Override
    public CompletableFuture<Void> send(List<MemorySegment> buffers, Peer peer, long tag) {
        return send(BufferList.toSend(buffers, common), peer, tag);
    }

    /** As above, of no more buffers than a message may have. */
    public CompletableFuture<Void> send(MemorySegment[] pieces, Peer peer, long tag) {
        return pieces.length > 1 ? gather(pieces, peer, true, allowed(tag)) : send(only(pieces), peer, tag);
    }

    /** As above, for a node's own message that has until that moment if the deadline is before. */
    public CompletableFuture<Void> send(MemorySegment[] pieces, Peer peer, long tag, long until) {
        PeerImpl known = known("send", peer);
        long end = Math.max(end(), until);
        MemorySegment first = only(pieces);
        return drive.start(pieces.length > 1 ? new GatheringSend(drive, known, end, pieces, true, allowed(tag))
                : new TaggedSend(drive, known, end, first, 0, first.byteSize(), allowed(tag), false, 0));
    }

    private static MemorySegment only(MemorySegment[] pieces) {
        return pieces.length == 0 ? MemorySegment.NULL : pieces[0];
    }

    private void checkForAnyThread(String what, MemorySegment[] pieces) {
        if (!reserved && drive.hasEngine()) {
            BufferList.checkForAnyThread(what, pieces);
        }
    }

    private CompletableFuture<Void> gather(MemorySegment[] pieces, Peer peer, boolean tagged, long tag) {
        PeerImpl known = known("send", peer);
        checkForAnyThread("send", pieces);
        return drive.start(new GatheringSend(drive, known, end(), pieces, tagged, tag));
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long data, Peer peer) {
        return drive.start(new Send(drive, known("sendData", peer), end(), buffer, 0,
                given("sendData", buffer).byteSize(), true, data));
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long offset, long length, long data, Peer peer) {
        return sendData(part("sendData", buffer, offset, length), data, peer);
    }

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, Peer peer, long tag) {
        return send(buffer, 0, given("send", buffer).byteSize(), peer, tag);
    }

    @Override
    public CompletableFuture<Void> send(MemorySegment buffer, long offset, long length, Peer peer, long tag) {
        return drive.start(new TaggedSend(drive, known("send", peer), end(), given("send", buffer), offset, length,
                allowed(tag), false, 0));
    }

    /** As above, for a sender that may give up all that it has sent: {@link TaggedSend#isBy}. */
    public CompletableFuture<Void> send(MemorySegment buffer, long length, Peer peer, long tag, Object sender) {
        return drive.start(new TaggedSend(drive, known("send", peer), end(), given("send", buffer), 0, length,
                allowed(tag), false, 0).by(sender));
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long data, Peer peer, long tag) {
        return drive.start(new TaggedSend(drive, known("sendData", peer), end(), buffer, 0,
                given("sendData", buffer).byteSize(), allowed(tag), true, data));
    }

    @Override
    public CompletableFuture<Void> sendData(MemorySegment buffer, long offset, long length, long data, Peer peer,
            long tag) {
        return sendData(part("sendData", buffer, offset, length), data, peer, tag);
    }

    private static String whyNot(PeerImpl peer) {
        return peer == null ? "receive: this node is connection-oriented (Hints.msg()), and each connection has its "
                + "own messages; use receive(buffer, peer)"
                : "receive: the node was opened without the capability DIRECTED_RECV and would take messages of others "
                + "than " + peer + ", too; ask for it in the hints";
    }

    private CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length, Peer from,
            boolean tagged, long tag, long ignore) {
        given("receive", buffer);
        PeerImpl peer = sender(from);
        long ignored = ignored(ignore);
        return drive.start(new Receive(common, peer == null ? receives : peer.receives(), peer,
                peer == null ? common.endpoint() : peer.endpoint(), Clock.after(receiveDeadline), buffer, offset,
                length, tagged, allowed(tag), ignored));
    }

    /** Whose messages a receive is to take; null for anybody's. */
    private PeerImpl sender(Peer from) {
        PeerImpl peer = from == null ? null : known("receive", from);
        if (peer == null && common.endpoint() == null || peer != null && !peer.isConnection() && !common.directed()) {
            throw new IllegalStateException(whyNot(peer));
        }
        return peer;
    }

    private long ignored(long ignore) {
        long ignored = reserved ? ignore : OwnTags.ignored(ignore);
        common.masks().receives(ignored);
        return ignored;
    }

    private CompletableFuture<Received> receive(List<MemorySegment> buffers, Peer from, boolean tagged, long tag,
            long ignore) {
        MemorySegment[] pieces = BufferList.toReceive(buffers, common);
        if (pieces.length <= 1) {
            MemorySegment first = only(pieces);
            return receive(first, 0, first.byteSize(), from, tagged, tag, ignore);
        }
        checkForAnyThread("receive", pieces);
        PeerImpl peer = sender(from);
        long ignored = ignored(ignore);
        return drive.start(new ScatteringReceive(common, peer == null ? receives : peer.receives(), peer,
                peer == null ? common.endpoint() : peer.endpoint(), Clock.after(receiveDeadline), pieces, tagged,
                allowed(tag), ignored));
    }

    @Override
    public CompletableFuture<Received> receive(List<MemorySegment> buffers) {
        return receive(buffers, null, false, 0, 0);
    }

    @Override
    public CompletableFuture<Received> receive(List<MemorySegment> buffers, Peer peer) {
        return receive(buffers, Objects.requireNonNull(peer, "receive: the peer is null"), false, 0, 0);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(List<MemorySegment> buffers, long tag, long ignore) {
        return receive(buffers, null, true, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(List<MemorySegment> buffers, Peer peer, long tag,
            long ignore) {
        return receive(buffers, Objects.requireNonNull(peer, "receive: the peer is null"), true, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer) {
        return receive(buffer, 0, given("receive", buffer).byteSize());
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length) {
        return receive(buffer, offset, length, null, false, 0, 0);
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer, Peer peer) {
        return receive(buffer, 0, given("receive", buffer).byteSize(), peer);
    }

    @Override
    public CompletableFuture<Received> receive(MemorySegment buffer, long offset, long length, Peer peer) {
        return receive(buffer, offset, length, Objects.requireNonNull(peer, "receive: the peer is null"), false, 0, 0);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, long tag, long ignore) {
        return receiveMatching(buffer, 0, given("receive", buffer).byteSize(), tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, long offset, long length, long tag,
            long ignore) {
        return receive(buffer, offset, length, null, true, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, Peer peer, long tag, long ignore) {
        return receiveMatching(buffer, 0, given("receive", buffer).byteSize(), peer, tag, ignore);
    }

    @Override
    public CompletableFuture<Received> receiveMatching(MemorySegment buffer, long offset, long length, Peer peer,
            long tag, long ignore) {
        return receive(buffer, offset, length, Objects.requireNonNull(peer, "receive: the peer is null"), true, tag,
                ignore);
    }

    private CompletableFuture<Void> transfer(String what, boolean write, MemorySegment buffer, long bufferOffset,
            long length, Peer peer, RemoteRegion region, long offset) {
        return drive.start(new Transfer(drive, known(what, peer), end(), write, given(what, buffer), bufferOffset,
                length, Objects.requireNonNull(region, () -> what + ": the region is null"), offset));
    }

    private CompletableFuture<Void> transfer(String what, boolean write, List<MemorySegment> buffers, Peer peer,
            RemoteRegion region, long offset) {
        MemorySegment[] pieces = BufferList.of(what, buffers);
        if (pieces.length <= 1) {
            MemorySegment first = only(pieces);
            return transfer(what, write, first, 0, first.byteSize(), peer, region, offset);
        }
        checkForAnyThread(what, pieces);
        PeerImpl known = known(what, peer);
        return SplitTransfer.start(common, known, end(), write, pieces,
                Objects.requireNonNull(region, () -> what + ": the region is null"), offset);
    }

    @Override
    public CompletableFuture<Void> write(List<MemorySegment> buffers, Peer peer, RemoteRegion region, long offset) {
        return transfer("write", true, buffers, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> read(List<MemorySegment> buffers, Peer peer, RemoteRegion region, long offset) {
        return transfer("read", false, buffers, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> write(MemorySegment buffer, Peer peer, RemoteRegion region, long offset) {
        return write(buffer, 0, given("write", buffer).byteSize(), peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> write(MemorySegment buffer, long bufferOffset, long length, Peer peer,
            RemoteRegion region, long offset) {
        return transfer("write", true, buffer, bufferOffset, length, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> writeData(MemorySegment buffer, long data, Peer peer, RemoteRegion region,
            long offset) {
        return drive.start(new DataTransfer(drive, known("writeData", peer), end(), given("writeData", buffer), data,
                Objects.requireNonNull(region, "writeData: the region is null"), offset));
    }

    @Override
    public CompletableFuture<Void> writeData(MemorySegment buffer, long bufferOffset, long length, long data,
            Peer peer, RemoteRegion region, long offset) {
        return writeData(part("writeData", buffer, bufferOffset, length), data, peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> read(MemorySegment buffer, Peer peer, RemoteRegion region, long offset) {
        return read(buffer, 0, given("read", buffer).byteSize(), peer, region, offset);
    }

    @Override
    public CompletableFuture<Void> read(MemorySegment buffer, long bufferOffset, long length, Peer peer,
            RemoteRegion region, long offset) {
        return transfer("read", false, buffer, bufferOffset, length, peer, region, offset);
    }

    @Override
    public CompletableFuture<Long> fetchAndAdd(Peer peer, RemoteRegion region, long offset, long addend) {
        return number("fetchAndAdd", peer, AtomicOp.SUM, region, offset, addend, 0);
    }

    @Override
    public CompletableFuture<Long> compareAndSwap(Peer peer, RemoteRegion region, long offset, long expected,
            long replacement) {
        return number("compareAndSwap", peer, AtomicOp.CSWAP, region, offset, replacement, expected);
    }

    private CompletableFuture<Long> number(String what, Peer peer, AtomicOp op, RemoteRegion region, long offset,
            long operand, long expected) {
        return drive.start(new NumberChange(drive, known(what, peer), end(), common.scratch(), op,
                Objects.requireNonNull(region, () -> what + ": the region is null"), offset, operand, expected));
    }

    private CompletableFuture<Void> change(AtomicForm form, MemorySegment operand, MemorySegment comparand,
            MemorySegment result, Peer peer, RemoteRegion region, long offset, Datatype type, AtomicOp op) {
        return drive.start(new Change(drive, known("atomic", peer), end(), form, checked("atomic", operand),
                checked("atomic", comparand), checked("atomic", result),
                Objects.requireNonNull(region, "atomic: the region is null"), offset, type, op));
    }

    @Override
    public CompletableFuture<Void> apply(MemorySegment operand, Peer peer, RemoteRegion region, long offset,
            Datatype type, AtomicOp op) {
        return change(AtomicForm.BASE, operand, null, null, peer, region, offset, type, op);
    }

    @Override
    public CompletableFuture<Void> fetchAndApply(MemorySegment operand, MemorySegment result, Peer peer,
            RemoteRegion region, long offset, Datatype type, AtomicOp op) {
        return change(AtomicForm.FETCH, operand, null, result, peer, region, offset, type, op);
    }

    @Override
    public CompletableFuture<Void> compareAndApply(MemorySegment operand, MemorySegment comparand,
            MemorySegment result, Peer peer, RemoteRegion region, long offset, Datatype type, AtomicOp op) {
        return change(AtomicForm.COMPARE, operand, comparand, result, peer, region, offset, type, op);
    }
}
