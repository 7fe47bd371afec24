// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.quirk.OwnMemory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A lock in shared memory that a dead process holds keeps every poll and every send that comes to it spinning, and
 * nothing in Java can end that. So {@link RegionWatch} looks at the locks of the regions this process uses, and one is
 * freed when all of this holds: it was held whenever looked at for a second (every 10 ms, and a second is an age: the
 * longest a lock is held for is the copy of one message); no message was begun or ended meanwhile, as there is one
 * after the other where large ones are copied all the time; a process that knows the region, and so could hold its
 * lock, has died since we watch it; no other such process is stopped. If there is no such process, its file may be
 * removed: then {@link LockHolders} tell. Where messages are copied under that very lock,
 * it waits ten times as long if that may be why: when some thread of ours was mostly in the kernel, or none was inside
 * a native call all that time. Of its own polls none may come to the lock, as 1.17 looks only when it was told to; but
 * all others who send to it do.
 *
 * <p>What the dead process has left half done under the lock is still there. So the endpoint is told, and takes itself
 * out of service.
 *
 * <p>A process may die inside its own endpoint, too, and then all who send to it spin: each of them looks at its dead
 * peers when a thread has been inside for a second. Nobody reads what is in such a region, so nobody is told.
 */
public final class LockRescue implements RegionWatch.Watched {
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    static final int LOOKS = 50;
    private static final Log LOG = Log.of(Endpoint.class);

    private final SharedRegion region;
    private final String name;
    private final BooleanSupplier inside;
    private final LockHolders holders = new LockHolders();
    /** Null for the region of a dead peer. */
    private final Consumer<String> broken;
    /** Null if there is nothing to be done about its answers. */
    private volatile AnswerRescue answers;
    /** Null if nothing is to be done about its name. */
    private volatile NameRescue names;
    /** Processes that were dead when we came, whose locks would have been met, by files that others may have since. */
    private final Map<Path, Integer> knownDead = new HashMap<>();
    /** When it was first seen held, and how often since; the thread's alone. */
    private long since;
    private int looks;
    /** Whether a thread was inside at each of them. */
    private boolean waitedFor;
    private int lowest;
    private long turns;
    private long kernelTicks;
    /** Since when a thread was inside at every look; 0 if none is. */
    private long insideSince;

    private LockRescue(SharedRegion region, BooleanSupplier inside, Consumer<String> broken) {
        this.region = region;
        this.name = region.file().getFileName().toString();
        this.inside = inside;
        this.broken = broken;
        if (broken != null) {
            noteTheDead();
        }
    }

    private void noteTheDead() {
        for (SharedRegion other : others()) {
            if (ProcessState.isDead(other.pid())) {
                knownDead.put(other.file(), other.pid());
            }
        }
    }

    /**
     * Watches a region until {@link #end}.
     *
     * @param name of the endpoint, with or without a scheme
     * @param inside whether a thread is inside a native call that may wait for this lock
     * @param broken told when a lock was freed, and why, by the watching thread
     * @return null if it is not a region of the layout that is known
     */
    static LockRescue watch(String name, BooleanSupplier inside, Consumer<String> broken) {
        Path file = SharedRegion.place(name);
        SharedRegion region = file == null ? null : SharedRegion.map(file);
        if (region == null) {
            return null;
        }
        LockRescue rescue = new LockRescue(region, inside, broken);
        RegionWatch.add(rescue);
        return rescue;
    }

    /** Looks also for messages that dead processes have not taken. */
    void answerForTheDead() {
        answers = AnswerRescue.of(region);
    }

    /** Looks also for peers whose dead processes were told its name. */
    void tellNameAgain() {
        names = new NameRescue(region);
    }

    /** Whether the file of an endpoint has a layout that is known: else there is nothing to be learned from it. */
    static boolean canRead(Path file) {
        return SharedRegion.read(file) != null;
    }

    /** The process whose endpoint's file it is, dead or alive; -1 if its layout is not known. */
    static int owner(Path file) {
        SharedRegion region = SharedRegion.read(file);
        return region == null ? -1 : region.pid();
    }

    /** Has a look at the process that an endpoint belongs to, so that its death is known for one later. */
    static void meet(String name) {
        Path file = SharedRegion.place(name);
        SharedRegion region = file == null ? null : SharedRegion.read(file);
        if (region != null) {
            ProcessState.meet(region.pid(), region.base(), file);
        }
    }

    /** Whether somebody has the lock of an endpoint's file at this moment. */
    public static boolean isHeld(Path file) {
        SharedRegion region = SharedRegion.read(file);
        return region != null && SharedRegion.isHeld(region.lock());
    }

    /** Whether another process that lives was asked to map the file of an endpoint, and has not done so. */
    static boolean isAwaited(Path file) {
        SharedRegion own = SharedRegion.read(file);
        if (own == null) {
            return false;
        }
        for (String asked : own.asked()) {
            Path its = SharedRegion.place(asked);
            SharedRegion peer = its == null ? null : SharedRegion.read(its);
            if (peer != null && peer.pid() != ProcessHandle.current().pid() && !ProcessState.isDead(peer.pid())) {
                return true;
            }
        }
        return false;
    }

    /** The endpoint closes: afterwards nothing that is the provider's is looked at. */
    @Override
    public void end() {
        RegionWatch.remove(this);
        if (answers != null) {
            answers.end();
        }
        if (names != null) {
            names.end();
        }
        region.unmap();
    }

    @Override
    public boolean isMapped() {
        return region.isMapped();
    }

    @Override
    public boolean look() {
        boolean soon = lookAtLock();
        lookForDeadPeers();
        if (answers != null) {
            soon |= answers.look();
        }
        if (names != null) {
            names.look();
        }
        return soon;
    }

    /** Whether the lock is held. */
    private boolean lookAtLock() {
        int lock = region.lock();
        boolean entered = inside.getAsBoolean();
        if (!SharedRegion.isHeld(lock) || broken == null && !entered) {
            since = 0;
            if (broken == null) {
                end();
            }
            return false;
        }
        long now = System.nanoTime();
        long turnsNow = region.turns();
        // the lock's word only falls as more come to wait: else somebody else has freed it meanwhile
        if (since == 0 || lock > lowest || turnsNow != turns) {
            since = now;
            turns = turnsNow;
            lowest = lock;
            looks = 0;
            waitedFor = true;
            kernelTicks = ProcessState.ownKernelTicks();
            holders.reset();
        }
        looks++;
        waitedFor &= entered;
        lowest = lock;
        if (now - since > PATIENCE && looks > LOOKS && (now - since > 10 * PATIENCE || !mayCopy(now))) {
            String culprit = culprit();
            String who = culprit == null && areHoldersGone() ? "another process, whose file is removed," : culprit;
            if (who != null && region.release(lock)) {
                since = 0;
                rescued(who);
            }
        }
        return true;
    }

    /** Where the file of the dead process does not tell any more that it knew the region. */
    private boolean areHoldersGone() {
        try {
            return !(region.layout().hasLockedQueue() && RegionOwners.areCopying())
                    && holders.areGone(region.address());
        } catch (IOException e) {
            LOG.debug("cannot look at the processes that may hold the lock of {} this time", name, e);
            return false;
        }
    }

    /** Those that died inside their own locks: no other process than those that send to them looks at these. */
    private void lookForDeadPeers() {
        if (broken == null || !inside.getAsBoolean()) {
            insideSince = 0;
            return;
        }
        long now = System.nanoTime();
        if (insideSince == 0) {
            insideSince = now;
        } else if (now - insideSince > PATIENCE) {
            insideSince = now;
            for (SharedRegion other : others()) {
                // first what takes no look at another file
                if (SharedRegion.isHeld(other.lock()) && !isWatched(other.file()) && ProcessState.isDead(other.pid())
                        && region.knows(other) && isAcquainted(other)) {
                    watchDead(other.file());
                }
            }
        }
    }

    private static boolean isWatched(Path file) {
        return RegionWatch.all().stream().anyMatch(watched -> watched instanceof LockRescue rescue
                && rescue.region.file().equals(file));
    }

    private void watchDead(Path file) {
        SharedRegion mapped = SharedRegion.map(file);
        if (mapped != null) {
            RegionWatch.add(new LockRescue(mapped, inside, null));
        }
    }

    private void rescued(String who) {
        String text = who + " died while it held the lock of the endpoint " + name
                + "; the lock was taken from it, and what it was writing may be half done";
        LOG.warn(text);
        if (broken != null) {
            broken.accept(text);
        } else {
            end();
        }
    }

    /** Whether somebody who lives may have had the lock since, for the copy of a message. */
    private boolean mayCopy(long now) {
        return region.layout().hasLockedQueue() && !waitedFor || copies(now);
    }

    /** Whether a thread was in the kernel for more than half of the time. */
    private boolean copies(long now) {
        long ticks = ProcessState.ownKernelTicks() - kernelTicks;
        return ticks > TimeUnit.NANOSECONDS.toMillis(now - since) / 10 / 2;
    }

    /** The dead process that could hold the lock; null if there is none, or if a living one might. */
    private String culprit() {
        String dead = null;
        for (SharedRegion other : others()) {
            if (!other.file().equals(region.file()) && !(other.knows(region) && isAcquainted(other))) {
                continue;
            }
            switch (ProcessState.of(other.pid())) {
                case STOPPED -> {
                    return null;
                }
                case DEAD -> {
                    // where others only may know it, its own process is the first to ask
                    if (!Integer.valueOf(other.pid()).equals(knownDead.get(other.file()))
                            && (dead == null || other.file().equals(region.file()))) {
                        dead = "process " + other.pid() + " (" + other.file().getFileName() + ")";
                    }
                }
                default -> { }
            }
        }
        return dead;
    }

    /** Of one whose numbers agree with those here, which may be by chance where names are in nobody's region. */
    private boolean isAcquainted(SharedRegion other) {
        if (region.layout().isNamed() || broken == null) {
            return true;
        }
        try (OwnMemory memory = OwnMemory.open()) {
            return PeerSlot.isAnyOf(memory, region, other.file());
        } catch (IOException e) {
            LOG.debug("cannot look at the own memory this time", e);
            return false;
        }
    }

    private static List<SharedRegion> others() {
        List<SharedRegion> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SharedRegion.FOLDER, Files::isRegularFile)) {
            for (Path file : files) {
                SharedRegion region = SharedRegion.read(file);
                if (region != null) {
                    found.add(region);
                }
            }
        } catch (IOException e) {
            LOG.debug("cannot list " + SharedRegion.FOLDER, e);
        }
        return found;
    }
}
