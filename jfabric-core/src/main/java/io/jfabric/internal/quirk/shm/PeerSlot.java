// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.OwnMemory;
import io.jfabric.internal.quirk.shm.ProcessState.Met;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A peer as the provider has it: {@code struct smr_peer} in the map of an address vector. What is sent to it goes into
 * its region. That stays mapped, whatever becomes of its process and its file, until the provider maps another one, as
 * it does when a successor of that process writes to this endpoint.
 */
final class PeerSlot {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int NAME_BYTES = 256;
    /** Offsets in {@code struct smr_map} of builds without debugging; in other builds nothing is found as expected. */
    private static final int FIRST = 88;
    private static final int REGION = 272;
    private static final int BYTES = 280;
    /** Since 2.0, with a descriptor. */
    private static final int LONGER = 288;

    private final long at;
    private final RegionLayout layout;
    /** As of the last look. */
    private View view;
    /** The process that owns the region, if it was seen alive. */
    private Met owner;
    /** The first message that was surely for the present owner. */
    private long since;
    /** The owner before that, if there was one. */
    private Met before;
    /** The first message that was surely for that one, and the first that may not have been. */
    private long beforeSince;
    private long beforeUntil;

    /** How often in a row its lock was held with the same word, and since when. */
    private int looksHeld;
    private long heldSince;
    private int word;

    /** What the slot says, and the region's header: its process, and where that has it mapped; 0 if it is not there. */
    record View(long region, Path file, int pid, long base) {
    }

    private PeerSlot(long at, RegionLayout layout, long since) {
        this.at = at;
        this.layout = layout;
        this.since = since;
    }

    /**
     * Null if it is not there, or not as expected: a region at that address, of the file with the peer's name.
     *
     * @param since the first message that is taken to be for the owner that it is found with
     */
    static PeerSlot of(OwnMemory memory, SharedRegion own, int number, long since) throws IOException {
        PeerSlot slot = new PeerSlot(at(own, number), own.layout(), since);
        View found = slot.slot(memory);
        return found != null && ProcessState.maps("self", found.region, found.file) ? slot : null;
    }

    /** Whether that file is one of the peers that an endpoint of this process knows. */
    static boolean isAnyOf(OwnMemory memory, SharedRegion own, Path file) {
        int bytes = own.layout().isNamed() ? BYTES : LONGER;
        MemorySegment slots = memory.read(own.map() + FIRST, RegionLayout.PEERS * bytes);
        for (int i = 0; slots != null && i < RegionLayout.PEERS; i++) {
            if (file.equals(file(slots.asSlice((long) i * bytes, NAME_BYTES)))) {
                return true;
            }
        }
        return false;
    }

    /** The regions that the provider has mapped for an endpoint's peers, with their files. */
    static Map<Long, Path> regions(OwnMemory memory, SharedRegion own) {
        Map<Long, Path> regions = new HashMap<>();
        for (int i = 0; i < RegionLayout.PEERS; i++) {
            View slot = new PeerSlot(at(own, i), own.layout(), 0).slot(memory);
            if (slot != null && slot.region != 0) {
                regions.put(slot.region, slot.file);
            }
        }
        return regions;
    }

    private static long at(SharedRegion own, int number) {
        return own.map() + FIRST + (long) number * (own.layout().isNamed() ? BYTES : LONGER);
    }

    /** The slot alone, without the region's header; null if it is not as expected. */
    private View slot(OwnMemory memory) {
        MemorySegment slot = memory.read(at, BYTES);
        Path file = slot == null ? null : file(slot);
        return file == null ? null : new View(slot.get(LONG, REGION), file, 0, 0);
    }

    /** As it is now; null if its region is not there. */
    View view(OwnMemory memory) {
        View slot = slot(memory);
        MemorySegment header = slot == null ? null : memory.read(slot.region, RegionLayout.HEADER_BYTES);
        return header == null ? null : with(slot, header);
    }

    /** The file that a slot names; null if that is no name. */
    private static Path file(MemorySegment slot) {
        return slot.get(ValueLayout.JAVA_BYTE, NAME_BYTES - 1) != 0 ? null
                : SharedRegion.place(slot.getString(0, StandardCharsets.UTF_8));
    }

    private View with(View slot, MemorySegment header) {
        return new View(slot.region, slot.file, header.get(ValueLayout.JAVA_INT_UNALIGNED, RegionLayout.PID),
                header.get(LONG, layout.base()));
    }

    /**
     * Looks who owns it now.
     *
     * @param queue of the messages
     * @param older its end at the look before the last
     */
    void look(OwnMemory memory, AnswerQueue queue, long older) throws IOException {
        View slot = slot(memory);
        boolean isSame = slot != null && view != null && view.region == slot.region && view.file.equals(slot.file);
        boolean isThere = slot != null && slot.region != 0
                && (isSame || ProcessState.maps("self", slot.region, slot.file));
        MemorySegment header = isThere ? memory.read(slot.region, RegionLayout.HEADER_BYTES) : null;
        View now = header == null ? new View(0, SharedRegion.FOLDER, 0, 0) : with(slot, header);
        boolean isFirst = view == null;
        boolean isUnchanged = now.equals(view);
        view = now;
        lookAtLock(header, isUnchanged);
        if (isUnchanged) {
            return;
        }
        if (owner != null) {
            before = owner;
            beforeSince = since;
            // what was posted between two looks may have been for either
            beforeUntil = older;
        }
        owner = now.pid <= 0 ? null : ProcessState.meet(now.pid, now.base, now.file);
        if (!isFirst) {
            since = queue.end();
        }
    }

    private void lookAtLock(MemorySegment header, boolean isUnchanged) {
        int lock = header == null ? 0 : header.get(ValueLayout.JAVA_INT_UNALIGNED, layout.lock());
        if (header == null || !SharedRegion.isHeld(lock)) {
            looksHeld = 0;
        } else if (looksHeld > 0 && isUnchanged && lock == word) {
            looksHeld++;
        } else {
            looksHeld = 1;
            heldSince = System.nanoTime();
        }
        word = lock;
    }

    /**
     * The process that a message was for; null if that is not known. A message that was sent between two looks may have
     * been for either of two processes: if the first one is over, the second stands for both.
     */
    Met owner(long message) {
        if (message >= since) {
            return owner;
        }
        if (before == null || message < beforeSince) {
            return null;
        }
        return message < beforeUntil ? before : ProcessState.isOver(before) ? owner : null;
    }

    /** Whether the region has another owner by now. */
    boolean isTaken(Met from) {
        return owner != from;
    }

    /** Whether the region is there, and all is as it was at the last look. */
    boolean isUnchanged(OwnMemory memory) {
        View slot = slot(memory);
        MemorySegment header = slot == null || slot.region != view.region ? null
                : memory.read(slot.region, RegionLayout.HEADER_BYTES);
        return header != null && with(slot, header).equals(view);
    }

    /** Whether an offset is among the buffers of its region: between where these and the next part begin. */
    boolean hasBuffer(OwnMemory memory, long offset) {
        MemorySegment header = memory.read(view.region, RegionLayout.HEADER_BYTES);
        return header != null && offset > header.get(LONG, layout.buffers())
                && offset < header.get(LONG, layout.buffers() + Long.BYTES);
    }

    /**
     * Frees the lock of a region whose process is over, once it was held too long to be another's, which would hold it
     * only for the copy of a message. Returns whether it is free.
     */
    boolean unlock() {
        return looksHeld == 0 || looksHeld >= LockRescue.LOOKS
                && System.nanoTime() - heldSince >= LockRescue.PATIENCE
                && SharedRegion.release(Memory.segment(view.region, RegionLayout.HEADER_BYTES), layout, word);
    }
}
