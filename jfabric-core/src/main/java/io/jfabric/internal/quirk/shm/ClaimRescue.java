// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.Log;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/**
 * Entries of an endpoint's queues that a process has taken, and has died before it committed them: all that others send
 * behind waits for ever, and once the queue is full, nobody can send any more. If the first entry is not committed for
 * a second, {@link RegionWatch}'s thread looks at all {@link Bystanders}, which are the threads that have the region
 * mapped. Once it is sure of each that it is not between taking and committing an entry, those entries that were taken
 * before are nobody's, and are discarded as the provider does it. A slow sender cannot be harmed by that: as long as a
 * thread might be one, stopped or not, nothing is done, however long it takes; but the log tells.
 *
 * <p>Who waits for a lock in shared memory uses the processor, and may have taken an entry before. So it begins anew
 * whenever such a lock is held: {@link LockRescue} comes first. The same for the copy of a very large message.
 */
final class ClaimRescue implements RegionWatch.Watched {
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    /** One look may see a thread wait for another that is seen only after it has gone on. */
    private static final int LOOKS = 2;
    private static final Log LOG = Log.of(Endpoint.class);
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final String name;
    private final ClaimLayout layout;
    private final Arena arena;
    private final MemorySegment region;
    private final List<Head> heads;
    /** Null where {@link LockRescue} looks at them. */
    private final BriefLocks locks;

    /** The first entry of a queue; the thread's alone. */
    private final class Head {
        private final ClaimQueue queue;
        private long entry = -1;
        private long since;
        /** Those that nobody has committed, and then all threads that may do so. */
        private long[] claimed;
        private Bystanders bystanders;
        private int clear;
        private boolean told;

        Head(ClaimQueue queue) {
            this.queue = queue;
        }

        void look() throws IOException {
            long first = queue.first();
            if (!queue.isClaimed(first)) {
                entry = -1;
                bystanders = null;
                return;
            }
            long now = System.nanoTime();
            if (entry != first) {
                entry = first;
                since = now;
                bystanders = null;
                told = false;
            }
            if (now - since < PATIENCE) {
                return;
            }
            if (RegionOwners.areCopying() || RegionOwners.all().stream().anyMatch(RegionOwners.Region::mayBeAwaited)) {
                bystanders = null;
            } else if (bystanders == null) {
                claimed = LongStream.range(first, queue.end()).filter(queue::isClaimed).toArray();
                bystanders = Bystanders.of(region.address(), layout.lockOfSender());
                clear = 0;
            } else {
                clear = bystanders.areElsewhere() ? clear + 1 : 0;
                if (clear >= LOOKS && RegionOwners.unseen().isEmpty()) {
                    discard();
                    return;
                }
            }
            if (!told && now - since > 10 * PATIENCE) {
                told = true;
                tell();
            }
        }

        private void discard() {
            long count = LongStream.of(claimed).filter(queue::discard).count();
            entry = -1;
            bystanders = null;
            if (layout.hasSignal()) {
                INT.setVolatile(region, layout.lock() + Integer.BYTES, 1);
            }
            LOG.warn("a process died while it was sending to the endpoint {}: {} it had begun {} lost, and what had to "
                    + "wait behind arrives", name, count == 1 ? "a message that" : count + " messages that",
                    count == 1 ? "is" : "are");
        }

        private void tell() {
            List<String> suspects = bystanders == null ? List.of() : bystanders.suspects();
            List<Path> unseen = RegionOwners.unseen();
            LOG.warn("nothing has come to the endpoint {} for ten seconds, as a process has begun to send to it and "
                    + "does not go on{}{}", name,
                    suspects.isEmpty() ? "" : ", perhaps one of these, which are stopped or busy: " + suspects,
                    unseen.isEmpty() ? "" : "; processes of other containers may be at it, too (remove these files if "
                            + "they are dead: " + unseen + ")");
        }
    }

    private ClaimRescue(String name, ClaimLayout layout, Arena arena, MemorySegment region, BooleanSupplier inside) {
        this.name = name;
        this.layout = layout;
        this.arena = arena;
        this.region = region;
        this.heads = new ArrayList<>();
        layout.queues(region).forEach(queue -> heads.add(new Head(queue)));
        this.locks = inside == null || !layout.hasBriefLock() ? null
                : new BriefLocks(name, new BriefLock(region, layout.lock()), inside);
    }

    /**
     * Watches the region of an endpoint until {@link #end}.
     *
     * @param name of the endpoint, with or without a scheme
     * @param inside whether a thread is inside a native call that may wait for a lock; null if it is not to be freed
     * @return null if it is not a region of a layout that is known
     */
    static ClaimRescue watch(String name, BooleanSupplier inside) {
        Path file = SharedRegion.place(name);
        ClaimRescue rescue = null;
        try {
            rescue = file == null ? null : SharedRegion.onThisMachine(() -> map(file, inside));
        } catch (IOException | UnsupportedOperationException notToBeMapped) {
            LOG.debug("the queues of {} are not watched", name, notToBeMapped);
        }
        if (rescue != null) {
            RegionWatch.add(rescue);
        }
        return rescue;
    }

    private static ClaimRescue map(Path file, BooleanSupplier inside) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer header = ByteBuffer.allocate(ClaimLayout.HEADER_BYTES);
            ClaimLayout layout = channel.read(header, 0) < header.capacity() ? null
                    : ClaimLayout.of(MemorySegment.ofArray(header.array()), channel.size());
            if (layout == null) {
                return null;
            }
            Arena arena = Arena.ofShared();
            try {
                ClaimRescue rescue = new ClaimRescue(file.getFileName().toString(), layout, arena,
                        channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena), inside);
                if (!rescue.heads.isEmpty()) {
                    return rescue;
                }
            } catch (IOException | RuntimeException e) {
                arena.close();
                throw e;
            }
            arena.close();
            return null;
        }
    }

    @Override
    public boolean look() {
        RegionOwners.look();
        boolean soon = false;
        try {
            soon = locks != null && locks.look();
            for (Head head : heads) {
                head.look();
            }
        } catch (IOException e) {
            LOG.debug("cannot look at the processes that send to {} this time", name, e);
        }
        return soon;
    }

    @Override
    public boolean isMapped() {
        return arena.scope().isAlive();
    }

    @Override
    public synchronized void end() {
        RegionWatch.remove(this);
        if (isMapped()) {
            arena.close();
        }
    }
}
