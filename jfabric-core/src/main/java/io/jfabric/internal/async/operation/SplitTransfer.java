// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.RemoteRegion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.future.StandIn;
import io.jfabric.internal.async.operation.GatheringTransfer.Whole;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.post.Remote;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A write or read of more buffers than the provider takes at once: several operations, for the program one. */
final class SplitTransfer extends StandIn<Void> {
    private static final VarHandle FAILURE;

    static {
        try {
            FAILURE = MethodHandles.lookup().findVarHandle(SplitTransfer.class, "failure", Throwable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Drive drive;
    private final List<GatheringTransfer> parts;
    /** How many have not succeeded. */
    private final AtomicInteger left;
    /** How many have memory of the program, or may get to the provider. */
    private final AtomicInteger lent;
    /** Of the first part that has failed. */
    private volatile Throwable failure;
    /** Whether the program has ended this. */
    private volatile boolean givenUp;

    private SplitTransfer(Drive drive, List<GatheringTransfer> parts) {
        super(drive);
        this.drive = drive;
        this.parts = parts;
        this.left = new AtomicInteger(parts.size());
        this.lent = new AtomicInteger(parts.size());
    }

    /** Writes or reads several buffers: by one operation if the provider takes them at once. */
    static CompletableFuture<Void> start(Common common, PeerImpl peer, long deadline, boolean write,
            MemorySegment[] buffers, RemoteRegion region, long offset) {
        String what = write ? "write" : "read";
        // before anything begins
        BufferList.checkUsable(what, buffers, !write);
        long length = BufferList.length(what, buffers);
        Remote.address(region, what, offset, length);
        Whole whole = new Whole(write, buffers.length, length, region, offset);
        MemorySegment[] filled = BufferList.filled(buffers);
        Drive drive = common.drive();
        if (filled.length <= common.transferredPieces()) {
            return drive.start(new GatheringTransfer(drive, peer, deadline, filled, length, offset, whole));
        }
        int most = (int) common.transferredPieces();
        List<GatheringTransfer> parts = new ArrayList<>();
        long at = offset;
        for (int i = 0; i < filled.length; i += most) {
            MemorySegment[] some = Arrays.copyOfRange(filled, i, Math.min(filled.length, i + most));
            long bytes = BufferList.length(what, some);
            parts.add(new GatheringTransfer(drive, peer, deadline, some, bytes, at, whole));
            at += bytes;
        }
        return new SplitTransfer(drive, parts).begin();
    }

    /** Starts all; throws what the first of them does, as nothing has begun then. */
    private SplitTransfer begin() {
        for (GatheringTransfer part : parts) {
            // first: it may be over before its start returns
            part.whenComplete((done, why) -> ended(why));
            part.released().thenRun(this::isReleased);
        }
        drive.start(parts.getFirst());
        parts.subList(1, parts.size()).forEach(this::start);
        if (failure != null) {
            // it may have failed before the last of them came to wait
            drop();
        }
        return this;
    }

    private void start(GatheringTransfer part) {
        Throwable why = failure;
        if (why == null) {
            try {
                drive.start(part);
                return;
            } catch (RuntimeException | Error refused) {
                why = refused;
            }
        }
        part.end(why);
    }

    private void ended(Throwable why) {
        if (why == null) {
            if (left.decrementAndGet() == 0) {
                completeNow(null, null);
            }
        } else if (!givenUp && FAILURE.compareAndSet(this, null, why)) {
            drop();
            completeNow(null, why);
        }
    }

    /** What has not reached the provider would be written or read in vain. */
    private void drop() {
        parts.forEach(part -> part.drop(failure));
    }

    private void isReleased() {
        lent.decrementAndGet();
        tellReleased();
    }

    @Override
    protected void giveUp(Instead<Void> given) {
        givenUp = true;
        Operation.giveUp(parts, given.failure() == null ? new CancellationException() : given.failure());
        completeNow(given.value(), given.failure());
    }

    @Override
    protected boolean isLent() {
        return lent.get() > 0;
    }

    @Override
    public String described() {
        return parts.getFirst().described();
    }
}
