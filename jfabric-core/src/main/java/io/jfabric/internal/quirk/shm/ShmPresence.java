// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What others see of an endpoint where they share memory: a name, a file with that name, room for it, a lock. All of
 * this is for quirks; with other providers it does nothing.
 */
public final class ShmPresence {
    private static final int LOOKS = 100;

    private final Quirks quirks;
    /** Whether others can know it, unlike a part of an endpoint. */
    private final boolean whole;
    /** Null where it needs none. */
    private final Room room;
    private ShmName name;
    /** Those of its vector. */
    private PeerNames peers;
    private String closedName;
    /** Whether somebody has left its name, which those who knew that one take for theirs. */
    private boolean isAnothers;
    private LockRescue rescue;
    private ClaimRescue claims;
    /** Its region while it is being closed, where those that know it would crash; else null. */
    private SharedRegion leaving;

    public ShmPresence(Quirks quirks, FabricInfo info, boolean whole) {
        this.quirks = quirks;
        this.whole = whole;
        this.room = whole ? roomOf(info) : null;
    }

    private Room roomOf(FabricInfo info) {
        if (quirks.has(Quirk.PLACE_NEEDS_ROOM)) {
            return new Sm2Room();
        }
        return quirks.has(Quirk.NEEDS_ROOM) ? new ShmRoom(info.tx().size(), info.rx().size()) : null;
    }

    private boolean isKnown() {
        return whole && quirks.has(Quirk.PEERS_IN_PROCESS);
    }

    /** It is about to be enabled, with that vector. */
    public void beforeEnabling(Supplier<Address> address, Supplier<PeerNames> vector) {
        if (quirks.has(Quirk.LEAVES_NAMES)) {
            ShmName.checkPossible();
        }
        if (isKnown()) {
            Address own = address.get();
            StaleName.remove(own.toText());
            vector.get().checkEnabling(own);
            isAnothers = quirks.has(Quirk.RETURNS_TO_NAMES) && Files.exists(ShmName.file(own.toText()));
        }
        if (whole && quirks.has(Quirk.TAKES_NAMES)) {
            ShmNameCheck.notTaken(address.get().toText());
        }
        if (whole && quirks.has(Quirk.OVERWRITES_THE_DEAD)) {
            StaleName.removeOfDead(address.get().toText(), quirks.has(Quirk.SUCCESSORS_UNMAP));
        }
        if (room != null) {
            room.check();
        }
        if (whole && quirks.has(Quirk.FILES_OF_ONE_USER)) {
            ShmUser.checkOwn(address.get().toText());
        }
        if (whole && quirks.has(Quirk.NEEDS_A_FILE)) {
            ShmNameCheck.possible(address.get().toText());
        }
    }

    /** It is enabled, but nobody knows of it yet: 0, or an error that {@link #whyNot} explains. */
    public int enabled(Supplier<Address> address) {
        return room != null ? room.reserve(address.get().toText()) : 0;
    }

    /** Why it could not be enabled; null where the error says it all. */
    public String whyNot(int result) {
        if (result == -Errno.ENOSPC && room != null) {
            return room.lack();
        }
        if (result == -Errno.EBUSY && quirks.has(Quirk.PEERS_IN_PROCESS)) {
            return "another process has an endpoint of that name; give this one a name of its own"
                    + " (Hints.sourceAddress)";
        }
        if (result == -Errno.EAVAIL && quirks.has(Quirk.PLACES_RUN_OUT)) {
            return Sm2Room.NO_PLACE;
        }
        return room != null ? ShmRoom.noFile(-result) : null;
    }

    /** Others may know of it from here on. */
    public void begin(Address address, PeerNames vector, BooleanSupplier inside, Consumer<String> breakDown) {
        peers = vector;
        if (quirks.has(Quirk.LEAVES_NAMES) && name == null) {
            name = ShmName.of(address, quirks.has(Quirk.CLOSED_BEFORE_ANSWER));
        }
        if (isKnown()) {
            peers.enabled(address);
        }
        if (isAnothers) {
            StaleName.warn(address.toText());
        }
        if (quirks.has(Quirk.LOCK_OUTLIVES_PROCESS)) {
            rescue = LockRescue.watch(address.toText(), inside, breakDown);
            if (rescue != null && quirks.has(Quirk.ANSWERS_OF_THE_DEAD)) {
                rescue.answerForTheDead();
            }
            if (rescue != null && quirks.has(Quirk.TOLD_TO_THE_DEAD)) {
                rescue.tellNameAgain();
            }
        }
        if (quirks.has(Quirk.CLAIMS_OF_THE_DEAD)) {
            claims = ClaimRescue.watch(address.toText(),
                    quirks.has(Quirk.BUFFER_LOCK_OUTLIVES_PROCESS) ? inside : null);
        }
    }

    /** It is about to be closed. */
    public void leave(Address address) {
        if (isKnown()) {
            closedName = address.toText();
            ShmPeers.closing(address);
            if (quirks.has(Quirk.SUCCESSORS_UNMAP) && leaving == null) {
                leaving = SharedRegion.map(ShmName.file(closedName));
            }
            if (leaving != null) {
                peers.leaving(leaving);
            }
            if (name != null) {
                name.awaitAnswer(peers.knowsOthers());
            }
        }
    }

    /** Whether somebody holds the lock of its memory for a while, so that whoever polls would wait. */
    public boolean isLocked() {
        boolean held = closedName != null && quirks.has(Quirk.LOCK_OUTLIVES_PROCESS);
        for (int i = 0; held && i < LOOKS; i++) {
            held = LockRescue.isHeld(ShmName.file(closedName));
        }
        return held;
    }

    /** Nobody needs to look after its lock any more. */
    public void endWatch() {
        if (rescue != null) {
            rescue.end();
            rescue = null;
        }
        if (claims != null) {
            claims.end();
            claims = null;
        }
    }

    /** The file that peers may still write to after this: those that are closed, but not yet for the provider. */
    public Optional<Path> written() {
        return closedName != null && quirks.has(Quirk.DISCARDS_INTO_CLOSED_PEERS)
                ? Optional.of(ShmName.file(closedName)) : Optional.empty();
    }

    /** Whether others that are open may still use its memory. */
    public boolean isReferred() {
        return closedName != null && quirks.has(Quirk.CLOSED_PEERS_IN_USE)
                && (peers.isReferred(closedName) || name != null && name.isAwaited());
    }

    /** The provider has closed it. */
    public void end() {
        if (leaving != null) {
            // not before: the provider's own close unmaps as many bytes as the size says
            leaving.stayMapped();
            leaving.unmap();
        }
        if (name != null) {
            name.closed();
        }
        if (closedName != null) {
            ShmPeers.ended(closedName);
        }
    }
}
