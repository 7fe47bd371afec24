// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.KeepAlive;
import io.jfabric.info.Address;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.ServiceNumber;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Log;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** {@link Caller} of a service whose process may be restarted: a {@link CallerImpl} for each of its lives. */
public final class LastingCaller extends CountedCaller {
    private static final Log LOG = Log.of(Caller.class);
    /** The pause before another try, in milliseconds; it grows with the time that the service has been away. */
    private static final long PAUSE = 50;
    private static final long LONGEST_PAUSE = 1000;
    private static final int PART = 16;

    private final KeepAlive alive;
    private final NodeImpl node;
    private final Address address;
    private final int service;
    private final CallerOptions options;
    private final Consumer<FabricException> peerEnded = this::peerEnded;
    /** Written under the lock. If it has ended, calls fail with its reason. */
    private volatile CallerImpl current;
    /** Since when nobody has answered. */
    private volatile long away = Clock.now();
    private volatile boolean closed;
    /** Why the provider cannot reach who is at the address now; null if it can, or nobody is there. */
    private String refusal;

    private LastingCaller(KeepAlive alive, Address address, int service, CallerOptions options) {
        super(new Outcomes());
        this.alive = Arguments.given(alive, "Caller.open", "the keep-alive");
        this.node = (NodeImpl) alive.node();
        this.address = Arguments.given(address, "Caller.open", "the address");
        // before any peer is watched
        this.service = ServiceNumber.checked("Caller.open: service", service);
        this.options = Arguments.given(options, "Caller.open", "the options");
    }

    public static LastingCaller open(KeepAlive alive, Address address, int service, CallerOptions options) {
        LastingCaller caller = new LastingCaller(alive, address, service, options);
        caller.begin();
        return caller;
    }

    /** Uses the peer as it is now: a new one if the last has ended. */
    private void begin() {
        PeerImpl peer = findOrAbsent();
        alive.watch(peer);
        begin(peer);
    }

    /** Where the provider looks at once, and nobody is there yet, one that has ended already: that is tried again. */
    private PeerImpl findOrAbsent() {
        try {
            return find();
        } catch (FabricException refused) {
            if (refused.error() != FabricError.ENOENT) {
                throw refused;
            }
            return absent("nobody is there yet, and it is tried again: ", refused);
        }
    }

    private PeerImpl absent(String detail, RuntimeException refused) {
        FabricException why = FabricException.of("peer " + address, FabricError.EHOSTDOWN.code(),
                detail + refused.getMessage());
        why.initCause(refused);
        return node.absentPeer(address, why);
    }

    private PeerImpl find() {
        return node.peer(address);
    }

    private void begin(PeerImpl peer) {
        synchronized (this) {
            if (closed) {
                return;
            }
            current = CallerImpl.open(peer, service, options, outcomes);
        }
        // called at once if the peer has ended meanwhile
        peer.onEnd(peerEnded);
        if (closed) {
            peer.forgetEnd(peerEnded);
        }
    }

    private void peerEnded(FabricException why) {
        if (why == null) {
            // closed by the program
            close();
        } else {
            if (current.isKnown()) {
                away = Clock.now();
            }
            later();
        }
    }

    /** Not in a thread that has others to tell, nor at once: the peer may be down again immediately. */
    private void later() {
        long gone = TimeUnit.NANOSECONDS.toMillis(Clock.now() - away);
        Aside.later(Math.clamp(gone / PART, PAUSE, LONGEST_PAUSE), this::beginAgain);
    }

    private void beginAgain() {
        try {
            if (!alive.isOpen()) {
                // nobody would notice the next end
                close();
            } else if (isOpen() && !hasBegun()) {
                later();
            }
        } catch (RuntimeException | Error e) {
            // there may be no memory
            later();
            throw e;
        }
    }

    /** False if there is nobody at the address, or, as has been told, nobody who can be reached. */
    private boolean hasBegun() {
        PeerImpl peer;
        try {
            peer = find();
            refusal = null;
        } catch (FabricException | IllegalStateException refused) {
            // if the node is closed, this is not open any more either
            if (!isOpen() || refused instanceof FabricException known && known.error() == FabricError.ENOENT
                    || refused.getMessage().equals(refusal)) {
                return false;
            }
            refusal = refused.getMessage();
            LOG.warn("{}: its process cannot be reached, which is tried again: {}", this, refusal);
            peer = absent("it cannot be reached, and it is tried again: ", refused);
        }
        try {
            alive.watch(peer);
        } catch (IllegalStateException closedMeanwhile) {
            close();
            return true;
        }
        try {
            begin(peer);
            return true;
        } catch (FabricException | IllegalStateException ended) {
            if (!peer.isOpen() && peer.whyEnded() == null) {
                // closed by the program
                close();
                return true;
            }
            return false;
        }
    }

    @Override
    CallerOptions options() {
        return options;
    }

    @Override
    public CompletableFuture<byte[]> call(byte[] request, Duration deadline) {
        return current.call(request, deadline);
    }

    @Override
    public CompletableFuture<MemorySegment> call(MemorySegment request, MemorySegment answer, Duration deadline) {
        return current.call(request, answer, deadline);
    }

    @Override
    public CompletableFuture<MemorySegment> call(List<MemorySegment> request, MemorySegment answer,
            Duration deadline) {
        return current.call(request, answer, deadline);
    }

    @Override
    public PeerImpl peer() {
        return current.peer();
    }

    @Override
    public int underWay() {
        return current.underWay();
    }

    @Override
    public int waiting() {
        return current.waiting();
    }

    @Override
    public boolean isOpen() {
        return !closed && node.isOpen();
    }

    @Override
    public void close() {
        CallerImpl last;
        synchronized (this) {
            closed = true;
            last = current;
        }
        last.peer().forgetEnd(peerEnded);
        last.close();
    }

    @Override
    public String toString() {
        return "caller of service " + service + " at " + address + ", whoever is there" + (closed ? " (closed)" : "");
    }
}
