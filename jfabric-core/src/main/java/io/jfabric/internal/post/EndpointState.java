// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.info.Capability;
import io.jfabric.info.Mode;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.ops.MsgOps;
import io.jfabric.internal.ops.RmaOps;
import io.jfabric.internal.ops.TaggedOps;
import io.jfabric.internal.quirk.OverflowTail;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.guard.CountedMessages;
import io.jfabric.internal.quirk.guard.Functions;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.watch.Watch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What the operations of an endpoint share: its info and limits, the gates, contexts, what buffers need. */
public final class EndpointState {
    /** One less than the least room that {@link Quirk#SHARED_ENDS_WITH_ANY} keeps for a message. */
    private static final long LEFT_BY_SHARED = (1 << 14) - 1;

    private FabricObject face;
    private final FidObject object;
    private final DomainState domain;
    private final FabricInfoImpl info;
    private final Contexts contexts;
    private final Peers peers;
    private final Limits limits;
    private final MultiReceiveGuard multiReceives;
    /** Null where buffers need nothing. */
    private final LocalBuffers localBuffers;
    /** Null where receives need none. */
    private final OverflowTail tail;
    private final boolean describes;
    private final Rights rights;
    private final Functions functions;
    private final MsgOps messageOps;
    private final TaggedOps taggedOps;
    private final RmaOps rmaOps;
    private final AtomicOps atomicOps;
    private final Gate messages;
    private final Gate tagged;
    private final long reservedTags;
    /** Those of the reserved bits that the provider does not carry. */
    private final long missingTags;
    private final Gate writes;
    private final Gate reads;
    private final Gate atomics;
    private final Gate collectives;
    private final AtomicSupport atomicSupport;
    private final boolean takesWhatItRefuses;
    /** How many groups it has joined. */
    private final AtomicInteger groups = new AtomicInteger();
    /** The token of its last join; 0 before the first. */
    private final AtomicLong lastJoin = new AtomicLong();
    private boolean shared;
    private long transmitFlags;
    private long receiveFlags;

    public EndpointState(FidObject endpoint, DomainState domain, FabricInfoImpl info, Contexts contexts, Peers peers) {
        this.face = endpoint;
        this.object = endpoint;
        this.domain = domain;
        this.info = info;
        this.contexts = contexts;
        this.peers = peers;
        this.functions = new Functions(domain.quirks(), info, contexts, peers.fetchGuard(),
                this::transmitFlags);
        this.messageOps = functions.messages();
        this.taggedOps = functions.tagged();
        this.rmaOps = functions.rma();
        this.atomicOps = functions.atomics();
        this.limits = new Limits(info);
        this.multiReceives = new MultiReceiveGuard(domain.quirks(), info, this);
        if (domain.quirks().hasAny(Quirk.MULTI_RECEIVE_ENDS_EARLY, Quirk.MULTI_RECEIVE_ENDS_EARLY_IN_RXM)) {
            contexts.countParts(domain.quirks().has(Quirk.MULTI_RECEIVE_ENDS_EARLY_IN_RXM), Contexts.ANY_NUMBER);
        }
        boolean registers = domain.registersLocally(info);
        this.describes = registers || domain.describesDeviceMemory();
        // some datagrams have a prefix for receives only, so each direction's own mode counts
        long sendPrefix = info.tx().mode().contains(Mode.MSG_PREFIX) ? info.endpoint().messagePrefixSize() : 0;
        long receivePrefix = info.rx().mode().contains(Mode.MSG_PREFIX) ? info.endpoint().messagePrefixSize() : 0;
        this.localBuffers = describes || sendPrefix > 0 || receivePrefix > 0
                ? new LocalBuffers(domain, sendPrefix, receivePrefix, registers, describes) : null;
        OverflowTail some = OverflowTail.of(domain.quirks(), describes,
                localBuffers == null ? 0 : localBuffers.descriptorOfEmpty(), info.rx().iovLimit());
        // what only empty receives have, in place of a buffer: with a prefix none is empty
        this.tail = receivePrefix > 0 ? OverflowTail.ofAll(some) : some;
        this.rights = new Rights(object, info);
        this.messages = new Gate(this, Capability.MSG, Capability.SEND);
        this.missingTags = TagBits.missing(info);
        this.reservedTags = missingTags
                | (domain.quirks().has(Quirk.COLLECTIVE_TAGS) ? Long.MIN_VALUE : 0);
        this.tagged = new Gate(this, Capability.TAGGED, Capability.SEND);
        this.writes = new Gate(this, Capability.RMA, Capability.WRITE);
        this.reads = new Gate(this, Capability.RMA, Capability.READ);
        this.atomics = new Gate(this, Capability.ATOMIC, null);
        this.collectives = new Gate(this, Capability.COLLECTIVE, null);
        this.atomicSupport = new AtomicSupport(this);
        this.takesWhatItRefuses = domain.quirks().has(Quirk.TAKES_WHAT_IT_REFUSES);
        lookUp(object.fid());
        domain.activity().begins(contexts);
        transmitFlags(info.tx().operationFlags().bits());
        receiveFlags(info.rx().operationFlags().bits());
    }

    /** The public face. */
    public FabricObject face() {
        return face;
    }

    /** To be called before anybody has it. */
    public void shownAs(FabricObject object) {
        face = object;
    }

    public FidObject object() {
        return object;
    }

    public DomainState domain() {
        return domain;
    }

    public FabricInfoImpl info() {
        return info;
    }

    public Contexts contexts() {
        return contexts;
    }

    public Peers peers() {
        return peers;
    }

    public Limits limits() {
        return limits;
    }

    public MultiReceiveGuard multiReceives() {
        return multiReceives;
    }

    /** The tail in which all or some receives end; null if none does. */
    public OverflowTail tail() {
        return tail;
    }

    public AtomicSupport atomicSupport() {
        return atomicSupport;
    }

    /** What messages need beyond the buffers; null if nothing. */
    public LocalBuffers localBuffers() {
        return localBuffers;
    }

    /** Whether remote accesses need descriptors, which takes the long way. */
    public boolean describes() {
        return describes;
    }

    /** As {@link Functions#lookUp}. */
    public void lookUp(long fid) {
        functions.lookUp(fid);
    }

    /** For the checking mode: a provider that changes its functions unexpectedly would be a new quirk. */
    void checkFunctions() {
        if (!functions.areOf(object.fid())) {
            throw new IllegalStateException("provider " + info.provider() + " has changed the functions of the "
                    + "endpoint in a call where none was expected to");
        }
    }

    /** Null unless queues can overflow. */
    public CountedMessages counted() {
        return functions.counted();
    }

    public MsgOps messageOps() {
        return messageOps;
    }

    public TaggedOps taggedOps() {
        return taggedOps;
    }

    public RmaOps rmaOps() {
        return rmaOps;
    }

    public AtomicOps atomicOps() {
        return atomicOps;
    }

    public Gate messages() {
        return messages;
    }

    /** Bits that no tag may have. */
    public long reservedTags() {
        return reservedTags;
    }

    /** Refuses tags with bits that the provider keeps for itself, or would cut off. */
    public void checkTag(long tag) {
        if ((tag & missingTags) != 0) {
            throw new IllegalArgumentException("tag 0x" + Long.toHexString(tag) + " has more than the "
                    + TagBits.of(info()) + " bits that provider " + info().provider() + " carries (mem_tag_format)");
        }
        if ((tag & reservedTags) != 0) {
            throw new IllegalArgumentException("tag 0x" + Long.toHexString(tag) + " has bit 63 set, which "
                    + "provider " + info().provider() + " takes for the mark of a collective operation");
        }
    }

    public Gate tagged() {
        return tagged;
    }

    public Gate writes() {
        return writes;
    }

    public Gate reads() {
        return reads;
    }

    public Gate atomics() {
        return atomics;
    }

    public Gate collectives() {
        return collectives;
    }

    /** The flags of transmits that have none of their own. */
    public long transmitFlags() {
        return transmitFlags;
    }

    public void transmitFlags(long flags) {
        transmitFlags = flags;
        contexts.transmitFlags(flags);
        limits.defaultFlags(flags);
    }

    /** The flags of receives that have none of their own. */
    public long receiveFlags() {
        return receiveFlags;
    }

    public void receiveFlags(long flags) {
        receiveFlags = flags;
        contexts.receiveFlags(flags);
    }

    /** What it was opened for. */
    public Rights rights() {
        return rights;
    }

    /** This is a context that endpoints share. */
    public void shared() {
        shared = true;
        multiReceives.shared();
        // its endpoints may have a queue each
        contexts.countParts(false, domain.quirks().has(Quirk.SHARED_ENDS_WITH_ANY) ? LEFT_BY_SHARED
                : Contexts.ANY_NUMBER);
    }

    /** An address was removed, or the connection has ended: peers have to be checked again. */
    public void checkPeersAgain() {
        messages.reset();
        tagged.reset();
        writes.reset();
        reads.reset();
        atomics.reset();
    }

    /** Shared contexts have no queue to which a provider could report a peek; some providers know no peek at all. */
    public void checkPeek(String operation) {
        if (domain.quirks().has(Quirk.NO_PEEK)) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " of this "
                    + "libfabric does not know FI_PEEK, and takes the message, or loops without end");
        }
        if (shared) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "the receives of a shared context can only be posted"
                    + " and cancelled, not peeked at or claimed");
        }
        if (!contexts.hasReceiveQueue()) {
            throw new IllegalStateException(operation + ": the answer to a peek goes to the completion queue: bind one "
                    + "for RECV first");
        }
    }

    /** As above, for operations that reserve or drop a message. */
    public void checkClaim(String operation) {
        checkPeek(operation);
        if (domain.quirks().hasAny(Quirk.CLAIMS_TWICE, Quirk.CLAIMS_IN_USE)) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " may crash when a "
                    + "message is claimed or discarded; receive it, peek alone is safe");
        }
    }

    /** As above, for dropping a message, whether claimed before or looked for now. */
    public void checkDiscard(String operation) {
        if (domain.quirks().hasAny(Quirk.DISCARDS_INTO_FREED_MEMORY, Quirk.DISCARDS_UNANSWERED,
                Quirk.DISCARDS_HALF_COPIED, Quirk.DISCARDS_LOSE_OTHERS, Quirk.DISCARDS_LOCK)) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider()
                    + " cannot drop a message without harm: peekAndClaim it, then receive it by claim");
        }
    }

    /** The provider refused an operation. True if it took it nevertheless, false to try again; throws otherwise. */
    public boolean refused(String operation, long result, long token) {
        if (isTaken(result) && operation.contains("recv")) {
            return true;
        }
        contexts.cancel(token);
        if (Refusal.isBusy(info, operation, result)) {
            contexts.busy(token);
            Watch.busy(object, operation);
            return false;
        }
        throw Refusal.of(info, operation, result);
    }

    /** Counts one more group that it is to join; false if it has joined so many already. */
    public boolean countGroup(int most) {
        return groups.getAndUpdate(count -> Math.min(count + 1, most)) < most;
    }

    /** The token of its last join. */
    public AtomicLong lastJoin() {
        return lastJoin;
    }

    /** Whether a receive was taken although the provider has refused it. */
    public boolean isTaken(long result) {
        return takesWhatItRefuses && result == -Errno.EAGAIN;
    }

    /** The endpoint is closed. */
    public void close() {
        functions.close();
        contexts.close();
        domain.activity().ends(contexts);
        if (tail != null) {
            // messages that were too long, and that nobody has looked at
            tail.forgetAll();
        }
        if (localBuffers != null) {
            localBuffers.close();
        }
    }
}
