// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.OwnMemory;
import io.jfabric.internal.quirk.shm.ProcessState.Met;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/**
 * Answers that will never come. A message that its receiver reads from the memory of the sender, or from a file,
 * completes when the receiver has answered, and answers are looked at in the order of the messages. So the first one
 * that a dead process owes keeps all others from completing, and once the queue is full, nothing long is sent any more.
 * {@link LockRescue}'s thread looks here, too, and answers in place of the dead, with an error. The result of an atomic
 * comes in a buffer of the receiver's region. The provider would give the buffer back there, where a successor may have
 * it by now: so the provider's note of the message is first changed into that of one without a buffer, and the buffer
 * stays with the dead. What is copied through regions in pieces is left alone, as there the provider itself goes on.
 *
 * <p>Nothing is answered for a process that might still read, or answer: it must be over, with all of its threads. It
 * must have been seen with its region before, as its number may be one of another namespace, or another process's by
 * now. Who owns the region that the message went to is read from that region, not from a file, which somebody else may
 * have made since.
 */
final class AnswerRescue {
    private static final Log LOG = Log.of(Endpoint.class);
    private static final int ERROR = Errno.ECONNRESET;
    /** Releases since 1.21.1 take a positive number, which is the same to us. */
    private static final int POSITIVE_SINCE = 7;

    /** {@code struct smr_tx_entry}, which begins with {@code struct smr_cmd}. */
    private static final int NOTE_BYTES = 264;
    private static final int OPERATION = 16;
    private static final int SOURCE = 20;
    private static final int PLACE = 32;
    private static final int PEER = 256;
    /** Where the data is: in a buffer of the receiver's, with the sender, in a file. */
    private static final int INJECT = 1;
    private static final int IOV = 2;
    private static final int MMAP = 3;
    /** Of {@code enum ofi_op}, those whose answer comes in a buffer: a read in 1.17, and atomics. */
    private static final int READ = 2;
    private static final int ATOMIC = 6;
    private static final int ATOMIC_COMPARE = 8;

    /** Looking for a peer takes a while. */
    private static final int NEW_AT_A_TIME = 8;
    private static final int LOOKS_UNTIL_AGAIN = 50;

    private final SharedRegion region;
    private final AnswerQueue queue;
    private final Map<Integer, PeerSlot> peers = new HashMap<>();
    /** The last look at which a peer was looked for, and not found. */
    private final Map<Integer, Long> missing = new HashMap<>();
    private long looks;
    private long first;
    /** The end of the queue at the last look, and at the one before. */
    private long endBefore;
    private long endOlder;
    private boolean ended;
    /** Whether an answer cannot be counted yet, as the region of its peer is locked. */
    private boolean awaitsLock;

    /** What the provider has noted of a message, as far as it tells who owes the answer, and how. */
    private record Note(int operation, int source, long place, long peer) {
        /** Whether it is answered in a buffer that the sender gives back. */
        boolean isBuffered() {
            return source == INJECT
                    && (operation == READ || operation >= ATOMIC && operation <= ATOMIC_COMPARE);
        }
    }

    private AnswerRescue(SharedRegion region, AnswerQueue queue) {
        this.region = region;
        this.queue = queue;
    }

    /** Null if the queue is not as expected, or the numbers of processes are not known. */
    static AnswerRescue of(SharedRegion region) {
        AnswerQueue queue = region.answers();
        return queue == null || !ProcessState.areNumbersKnown() ? null : new AnswerRescue(region, queue);
    }

    /** There are no more looks after this: the provider may free what it has noted. */
    synchronized void end() {
        ended = true;
    }

    /** Whether to look again soon, as a peer's lock is awaited: a successor in its place would end that wait. */
    synchronized boolean look() {
        awaitsLock = false;
        if (ended) {
            return false;
        }
        try {
            lookOnce();
        } catch (IOException e) {
            LOG.debug("cannot look at the own memory this time", e);
        } catch (RuntimeException e) {
            LOG.debug("does not answer for the dead peers of " + region.file() + " any more", e);
            ended = true;
        }
        return awaitsLock;
    }

    private void lookOnce() throws IOException {
        looks++;
        long firstBefore = first;
        first = queue.first();
        long end = queue.end();
        boolean hasNew = hasNewPeers();
        // also when nothing waits: a message is for whoever had the peer's place when it was sent
        if (first != end || hasNew || !peers.isEmpty()) {
            try (OwnMemory memory = OwnMemory.open()) {
                lookAtPeers(memory, hasNew);
                // what was there at the last look is noted by now, and will not change
                if (first == firstBefore && first < endBefore) {
                    answer(memory);
                }
            }
        }
        // not after a look that failed: who the peers were then is not known
        endOlder = endBefore;
        endBefore = end;
    }

    /** Answers the first message, if nobody else will; then also all others like it. */
    private void answer(OwnMemory memory) {
        if (!answer(memory, first)) {
            return;
        }
        int answered = 1;
        for (long message = first + 1; message < endBefore; message++) {
            answered += answer(memory, message) ? 1 : 0;
        }
        region.signal();
        LOG.debug("{} messages of {} were for dead processes", answered, region.file());
    }

    private boolean hasNewPeers() {
        for (int peer = 0; peer < RegionLayout.PEERS; peer++) {
            if (isNew(peer)) {
                return true;
            }
        }
        return false;
    }

    private boolean isNew(int peer) {
        return region.isKnownTo(peer) && !peers.containsKey(peer)
                && (!missing.containsKey(peer) || looks - missing.get(peer) >= LOOKS_UNTIL_AGAIN);
    }

    private void lookAtPeers(OwnMemory memory, boolean hasNew) throws IOException {
        int found = 0;
        for (int peer = 0; hasNew && peer < RegionLayout.PEERS && found < NEW_AT_A_TIME; peer++) {
            if (isNew(peer)) {
                found++;
                // what was sent before a missing peer was found may have been for another one
                PeerSlot slot = PeerSlot.of(memory, region, peer, missing.containsKey(peer) ? queue.end() : 0);
                if (slot == null) {
                    missing.put(peer, looks);
                } else {
                    peers.put(peer, slot);
                }
            }
        }
        for (PeerSlot peer : peers.values()) {
            peer.look(memory, queue, endOlder);
        }
    }

    /** Answers a message if nobody else will. */
    private boolean answer(OwnMemory memory, long message) {
        long at = queue.note(message);
        Note note = note(memory, at);
        if (note == null || note.source != IOV && note.source != MMAP && !note.isBuffered()) {
            return false;
        }
        PeerSlot peer = note.peer < 0 || note.peer >= RegionLayout.PEERS ? null : peers.get((int) note.peer);
        Met owner = peer == null ? null : peer.owner(message);
        if (owner == null || !ProcessState.isOver(owner)) {
            return false;
        }
        // the dead change nothing any more: what is found unanswered, and theirs, from here on stays so
        boolean isOwed = peer.isUnchanged(memory)
                && queue.first() <= message && queue.note(message) == at && queue.status(message) == AnswerQueue.BUSY
                && (note.isBuffered() ? peer.hasBuffer(memory, note.place) : note.place == queue.place(message))
                && note.equals(note(memory, at)) && canBeCounted(peer, owner);
        if (isOwed && note.isBuffered()) {
            forgetBuffer(at);
        }
        return isOwed && queue.setStatus(message, AnswerQueue.BUSY,
                region.layout().version() < POSITIVE_SINCE ? -ERROR : ERROR);
    }

    private static Note note(OwnMemory memory, long at) {
        MemorySegment note = memory.read(at, NOTE_BYTES);
        return note == null ? null : new Note(note.get(ValueLayout.JAVA_INT_UNALIGNED, OPERATION),
                note.get(ValueLayout.JAVA_SHORT_UNALIGNED, SOURCE),
                note.get(ValueLayout.JAVA_LONG_UNALIGNED, PLACE), note.get(ValueLayout.JAVA_LONG_UNALIGNED, PEER));
    }

    /** Nobody looks at a note before its message is answered. By a note of one without a buffer none is given back. */
    private static void forgetBuffer(long at) {
        Memory.segment(at + SOURCE, Short.BYTES).set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) IOV);
    }

    /** 1.17 counts answers in the region of the peer: so that must not be a successor's by now, nor locked. */
    private boolean canBeCounted(PeerSlot peer, Met owner) {
        if (!region.layout().countsAnswers()) {
            return true;
        }
        boolean isThere = !peer.isTaken(owner);
        boolean isFree = isThere && peer.unlock();
        awaitsLock |= isThere && !isFree;
        return isFree;
    }
}
