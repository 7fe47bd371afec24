// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.info.Address;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.AddressSpace;
import io.jfabric.internal.life.Neighbours;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.shm.LockRescue;
import io.jfabric.internal.quirk.shm.PeerNames;
import io.jfabric.internal.quirk.shm.Room;
import io.jfabric.internal.quirk.shm.ShmName;
import io.jfabric.internal.quirk.shm.ShmNameCheck;
import io.jfabric.internal.quirk.shm.ShmPeers;
import io.jfabric.internal.quirk.shm.ShmRoom;
import io.jfabric.internal.quirk.shm.Sm2Room;
import io.jfabric.internal.quirk.shm.StaleName;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What an endpoint is to others: where they share memory, a name, a region, a lock; elsewhere, through what they use
 * memory of this process.
 */
final class Presence implements Neighbours {
    private static final int LOOKS = 100;

    private final DomainState domain;
    /** Whether others can know it: not a part of an endpoint. */
    private final boolean whole;
    /** Null where it needs none. */
    private final Room room;
    private ShmName name;
    /** Of its vector. */
    private PeerNames peers;
    private String closedName;
    private LockRescue rescue;
    private boolean mustStay;

    Presence(DomainState domain, FabricInfoImpl info, boolean whole) {
        this.domain = domain;
        this.whole = whole;
        this.room = whole ? roomOf(info) : null;
        if (domain.lateAccess() != null) {
            domain.lateAccess().opened(this);
        }
    }

    private Room roomOf(FabricInfoImpl info) {
        if (domain.quirks().has(Quirk.PLACE_NEEDS_ROOM)) {
            return new Sm2Room();
        }
        return domain.quirks().has(Quirk.NEEDS_ROOM) ? new ShmRoom(info.tx().size(), info.rx().size()) : null;
    }

    private boolean isKnown() {
        return whole && domain.quirks().has(Quirk.PEERS_IN_PROCESS);
    }

    void begin(Address address, AddressVectorImpl bound, BooleanSupplier inside, Consumer<String> breakDown) {
        peers = bound.peerNames();
        if (domain.quirks().has(Quirk.LEAVES_NAMES) && name == null) {
            name = ShmName.of(address, domain.quirks().has(Quirk.CLOSED_BEFORE_ANSWER));
        }
        if (isKnown()) {
            peers.enabled(address);
        }
        if (domain.quirks().has(Quirk.LOCK_OUTLIVES_PROCESS)) {
            rescue = LockRescue.watch(address.toText(), inside, breakDown);
            if (rescue != null && domain.quirks().has(Quirk.ANSWERS_OF_THE_DEAD)) {
                rescue.answerForTheDead();
            }
            if (rescue != null && domain.quirks().has(Quirk.TOLD_TO_THE_DEAD)) {
                rescue.tellNameAgain();
            }
        }
    }

    void beforeEnabling(Supplier<Address> address, AddressVectorImpl bound) {
        if (isKnown()) {
            Address own = address.get();
            StaleName.remove(own.toText());
            bound.peerNames().checkEnabling(own);
        }
        if (whole && domain.quirks().has(Quirk.TAKES_NAMES)) {
            ShmNameCheck.notTaken(address.get().toText());
        }
        if (room != null) {
            room.check();
        }
        if (whole && domain.quirks().has(Quirk.NEEDS_A_FILE)) {
            ShmNameCheck.possible(address.get().toText());
        }
    }

    /** It is enabled, but nobody knows of it yet: 0, or an error that {@link #whyNot} explains. */
    int enabled(Supplier<Address> address) {
        if (whole && domain.quirks().has(Quirk.PACKETS_OUTLIVE_ENDPOINTS)) {
            UsedPorts.add(address.get());
        }
        return room != null ? room.reserve(address.get().toText()) : 0;
    }

    /** Why it could not be enabled; null where the error says it all. */
    String whyNot(int result, FabricInfoImpl info) {
        if (result == -Errno.ENOSPC && room != null) {
            return room.lack();
        }
        if (result == -Errno.EADDRINUSE) {
            return "another endpoint has the address " + info.sourceAddress().map(Address::toString).orElse("");
        }
        if (result == -Errno.EADDRNOTAVAIL) {
            return info.sourceAddress().map(source -> "source address " + source).orElse(null);
        }
        if (result == -Errno.EBUSY && domain.quirks().has(Quirk.PEERS_IN_PROCESS)) {
            return "another process has an endpoint of that name; give this one a name of its own"
                    + " (Hints.sourceAddress)";
        }
        if (result == -Errno.EAVAIL && domain.quirks().has(Quirk.PLACES_RUN_OUT)) {
            return Sm2Room.NO_PLACE;
        }
        return room != null ? ShmRoom.noFile(-result) : null;
    }

    /** It is about to be closed. */
    void leave(Address address) {
        if (isKnown()) {
            closedName = address.toText();
            ShmPeers.closing(address);
            if (name != null) {
                name.awaitAnswer(peers.knowsOthers());
            }
        }
    }

    /** Whether somebody has the lock of its memory for a while, whom who polls would wait for. */
    boolean isLocked() {
        boolean held = closedName != null && domain.quirks().has(Quirk.LOCK_OUTLIVES_PROCESS);
        for (int i = 0; held && i < LOOKS; i++) {
            held = LockRescue.isHeld(ShmName.file(closedName));
        }
        return held;
    }

    void endWatch() {
        if (rescue != null) {
            rescue.end();
            rescue = null;
        }
    }

    @Override
    public List<AddressSpace> memory() {
        return closedName != null && domain.quirks().has(Quirk.DISCARDS_INTO_CLOSED_PEERS)
                ? AddressSpace.of(ShmName.file(closedName)) : List.of();
    }

    /** Its provider is in the middle of something that it would not survive. */
    void keep() {
        mustStay = true;
    }

    @Override
    public boolean mustStay() {
        return mustStay;
    }

    @Override
    public boolean isReferred() {
        return closedName != null && domain.quirks().has(Quirk.CLOSED_PEERS_IN_USE)
                && (peers.isReferred(closedName) || name != null && name.isAwaited());
    }

    void end() {
        if (name != null) {
            name.closed();
        }
        if (domain.lateAccess() != null) {
            domain.lateAccess().closed(this);
        }
    }
}
