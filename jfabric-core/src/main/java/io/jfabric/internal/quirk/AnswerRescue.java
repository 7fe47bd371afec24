// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Answers that will never come. A message that its receiver reads, or copies out of its own region piece by piece, is
 * done when that has answered, and answers are looked at in the order of the messages. So the first one that a dead
 * process owes keeps all others from being done, and after as many as the queue holds nothing long is sent any more.
 * {@link LockRescue}'s thread looks here, too, and answers for the dead: with an error.
 *
 * <p>Not for who might read, or answer, after all: that process must be over with all of its threads. It must have been
 * seen with its region before, as numbers of processes may be those of another namespace; but not if it was to read
 * the message here, which it can only where its number is known. Whose the region is that the message went to comes
 * from that region, not from a file, which somebody else may have made since.
 */
final class AnswerRescue {
    private static final Logger LOG = System.getLogger("io.jfabric");
    private static final int ERROR = Errno.ECONNRESET;
    /** Releases since 1.21.1 take a positive number, which is the same to us. */
    private static final int POSITIVE_SINCE = 7;

    /** {@code struct smr_tx_entry}, which begins with {@code struct smr_cmd}. */
    private static final int NOTE_BYTES = 264;
    private static final int OPERATION = 16;
    private static final int SOURCE = 20;
    private static final int PLACE = 32;
    private static final int PEER = 256;
    private static final int READ = 2;
    /** Where the data is: in a buffer of the receiver's, with the sender, in a file, in segments of the receiver's. */
    private static final int INJECT = 1;
    private static final int IOV = 2;
    private static final int MMAP = 3;
    private static final int SEGMENTS = 4;
    /** Of segments: the reader has emptied them; the writer has filled them. */
    private static final long EMPTY = 1025;
    private static final long FULL = 1026;

    private final SharedRegion region;
    private final AnswerQueue queue;
    private final Path directory;
    private final Map<Integer, PeerSlot> peers = new HashMap<>();
    /** Whom nothing more is sent to until another process has its region: else each message had to be answered here. */
    private final Set<Integer> full = new HashSet<>();
    private long first;
    private long end;
    private boolean ended;

    private AnswerRescue(SharedRegion region, AnswerQueue queue) {
        this.region = region;
        this.queue = queue;
        this.directory = region.file().getParent();
    }

    /** Null if the queue is not known. */
    static AnswerRescue of(SharedRegion region) {
        AnswerQueue queue = region.answers();
        return queue == null || !ProcessState.areNumbersKnown() ? null : new AnswerRescue(region, queue);
    }

    /** After the last look: the provider may free what it has noted. */
    synchronized void end() {
        ended = true;
    }

    synchronized void look() {
        if (ended) {
            return;
        }
        long firstBefore = first;
        long endBefore = end;
        first = queue.first();
        end = queue.end();
        boolean hasNew = hasNewPeers();
        if (first == end && !hasNew) {
            return;
        }
        try (OwnMemory memory = OwnMemory.open()) {
            lookAtPeers(memory, hasNew, endBefore);
            // what has been there for a look is noted, and will not change
            if (first == firstBefore && first < endBefore && answer(memory, first)) {
                int answered = 1;
                for (long message = first + 1; message < endBefore; message++) {
                    answered += answer(memory, message) ? 1 : 0;
                }
                region.signal();
                LOG.log(Level.DEBUG, "{0} messages of {1} were for dead processes", answered, region.file());
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "cannot look at the own memory", e);
            ended = true;
        }
    }

    private boolean hasNewPeers() {
        for (int peer = 0; peer < RegionLayout.PEERS; peer++) {
            if (region.isKnownTo(peer) && !peers.containsKey(peer)) {
                return true;
            }
        }
        return false;
    }

    private void lookAtPeers(OwnMemory memory, boolean hasNew, long next) throws IOException {
        for (int peer = 0; hasNew && peer < RegionLayout.PEERS; peer++) {
            if (region.isKnownTo(peer) && !peers.containsKey(peer)) {
                peers.put(peer, PeerSlot.of(memory, region, peer, directory));
            }
        }
        peers.forEach((number, peer) -> {
            if (peer != null && peer.look(memory, next) && full.remove(number)) {
                region.freeSegments(number);
            }
        });
    }

    /** Answers a message if nobody else will. */
    private boolean answer(OwnMemory memory, long message) {
        long status = queue.status(message);
        long at = queue.note(message);
        MemorySegment note = memory.read(at, NOTE_BYTES);
        if (note == null) {
            return false;
        }
        int source = note.get(ValueLayout.JAVA_SHORT_UNALIGNED, SOURCE);
        boolean isRead = note.get(ValueLayout.JAVA_INT_UNALIGNED, OPERATION) == READ;
        if (status != (source != SEGMENTS ? AnswerQueue.BUSY : isRead ? EMPTY : FULL)
                || source != INJECT && note.get(ValueLayout.JAVA_LONG_UNALIGNED, PLACE) != queue.place(message)) {
            return false;
        }
        long number = note.get(ValueLayout.JAVA_LONG_UNALIGNED, PEER);
        PeerSlot peer = number < 0 || number >= RegionLayout.PEERS ? null : peers.get((int) number);
        PeerSlot.Owner owner = peer == null ? null : peer.owner(message);
        if (owner == null || !owner.wasSeen() && source != IOV || !ProcessState.isOver(owner.pid())) {
            return false;
        }
        return switch (source) {
            case IOV, MMAP, INJECT, SEGMENTS -> canBeCounted(peer, owner)
                    && fail(message, status, at, source)
                    && (source != SEGMENTS || endSegments((int) number, peer.isTaken(owner)));
            // with memory of a device the provider has more to do
            default -> false;
        };
    }

    /** 1.17 counts answers in the region of the peer: not in that of its successor, nor while it is locked. */
    private boolean canBeCounted(PeerSlot peer, PeerSlot.Owner owner) {
        return !region.layout().countsAnswers() || !peer.isTaken(owner) && peer.unlock();
    }

    /**
     * The provider gives back what it has taken in the region of the peer, which may be locked, or another's by now:
     * unless it takes the message for one that its receiver reads here. With segments it does not even look at errors.
     */
    private boolean fail(long message, long status, long at, int source) {
        if (source == SEGMENTS || source == INJECT && !region.layout().countsAnswers()) {
            Memory.segment(at + SOURCE, 1).set(ValueLayout.JAVA_BYTE, 0, (byte) IOV);
        }
        return queue.setStatus(message, status, region.layout().version() < POSITIVE_SINCE ? -ERROR : ERROR);
    }

    /** The provider sends one message in segments at a time; this one is over. */
    private boolean endSegments(int peer, boolean isTaken) {
        if (isTaken) {
            region.freeSegments(peer);
        } else {
            full.add(peer);
        }
        return true;
    }
}
