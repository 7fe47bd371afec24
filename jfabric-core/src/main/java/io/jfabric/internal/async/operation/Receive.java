// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.CompletionFlag;
import io.jfabric.Endpoint;
import io.jfabric.async.Received;
import io.jfabric.info.Address;
import io.jfabric.internal.async.flow.Errors;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.async.peer.Peers;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** A receive, with a tag or without. */
public sealed class Receive extends Operation<Received> permits ScatteringReceive {
    private final Peers peers;
    private final PeerImpl from;
    private final Endpoint endpoint;
    private final MemorySegment buffer;
    private final long offset;
    private final long length;
    private final boolean tagged;
    final long tag;
    final long ignore;
    private final boolean waits;

    public Receive(Common common, Lane lane, PeerImpl from, Endpoint endpoint, long deadline, MemorySegment buffer,
            long offset, long length, boolean tagged, long tag, long ignore) {
        this(common, lane, from, endpoint, deadline, buffer, offset, length, tagged, tag, ignore, true);
    }

    private Receive(Common common, Lane lane, PeerImpl from, Endpoint endpoint, long deadline, MemorySegment buffer,
            long offset, long length, boolean tagged, long tag, long ignore, boolean waits) {
        super(common.drive(), lane, from, deadline);
        this.peers = common.peers();
        this.from = from;
        this.endpoint = endpoint;
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.tagged = tagged;
        this.tag = tag;
        this.ignore = ignore;
        this.waits = waits;
        if (from != null) {
            from.isReceivedFrom();
        }
    }

    /** A receive that is refused if it cannot be posted at once. */
    public static Receive atOnce(Common common, Lane lane, long deadline, MemorySegment buffer, long tag) {
        return new Receive(common, lane, null, common.endpoint(), deadline, buffer, 0, buffer.byteSize(), true, tag, 0,
                false);
    }

    @Override
    protected boolean mayWait() {
        return waits;
    }

    @Override
    protected boolean waitsForOthers() {
        return true;
    }

    /** Those of the node's own messages do not: whoever gives up such a receive wants no message either. */
    @Override
    protected boolean takesMessages() {
        return !isOwn();
    }

    @Override
    protected final boolean isTagged() {
        return tagged;
    }

    @Override
    public boolean isOwn() {
        return tagged && OwnTags.isOwn(tag);
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    protected final boolean post() {
        if (from != null && isClosed()) {
            // its address may soon be another peer's
            throw Errors.ofPeer(this, from.whyEnded());
        }
        return post(from == null ? Address.ANY : from.fabricAddress());
    }

    /** Gives it to the provider, to take messages of that sender. */
    boolean post(long sender) {
        return tagged ? endpoint.tagged().receive(buffer, offset, length, sender, tag, ignore, context)
                : endpoint.messages().receive(buffer, offset, length, sender, context);
    }

    /** Whether the peer is closed, so that nobody looks after receives from it any more. */
    private boolean isClosed() {
        // whoever closes the peer looks at the slots afterwards, and finds this operation there
        VarHandle.fullFence();
        return !from.isOpen();
    }

    @Override
    protected Received result(Completion completion) {
        boolean hasData = completion.is(CompletionFlag.REMOTE_CQ_DATA);
        // asking for messages of one peer does not prove who sent this one
        PeerImpl sender = from != null && from.isConnection() ? from : peers.find(completion.source());
        return new ReceivedImpl(completion.length(), tagged ? completion.tag() : 0, sender, hasData,
                hasData ? completion.data() : 0);
    }

    @Override
    public void count(Moved moved, Completion completion) {
        if (!tagged || OwnTags.isCounted(tag)) {
            moved.received(completion.length());
        }
    }

    @Override
    protected String towards() {
        return " from ";
    }

    @Override
    public String what() {
        return "receive of at most " + length + " bytes" + into() + (tagged ? " with tag " + OwnTags.text(tag)
                + (ignore == 0 ? "" : " (ignoring 0x" + Long.toHexString(ignore) + ")") : "");
    }

    /** What it receives into, if that is more than one buffer. */
    String into() {
        return "";
    }
}
