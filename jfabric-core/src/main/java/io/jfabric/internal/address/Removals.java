// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.AvOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.quirk.shm.PeerNames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Takes addresses out of a vector, whose lock the caller has. */
final class Removals {
    private final FidObject vector;
    private final Quirks quirks;
    private final VectorContents contents;
    private final KnownAddresses known;
    private final VectorUsers users;
    private final PeerNames names;
    /** Whether removed addresses are only marked as such, and stay with the provider. */
    private final boolean marksRemoved;

    Removals(FidObject vector, Quirks quirks, VectorContents contents, VectorUsers users, PeerNames names) {
        this.vector = vector;
        this.quirks = quirks;
        this.contents = contents;
        this.known = contents.known();
        this.users = users;
        this.names = names;
        this.marksRemoved = !quirks.removesAddresses();
    }

    void remove(long... given) {
        long[] addresses = Objects.requireNonNull(given, "fi_av_remove: the addresses are null").clone();
        Set<Long> all = new HashSet<>();
        for (long address : addresses) {
            contents.check("fi_av_remove", address);
            if (!all.add(address)) {
                throw new IllegalArgumentException("fi_av_remove: " + Long.toUnsignedString(address)
                        + " is to be removed twice");
            }
        }
        checkNoSets();
        users.checkEnabled("fi_av_remove");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(ValueLayout.JAVA_LONG);
            for (long address : addresses) {
                one.set(ValueLayout.JAVA_LONG, 0, address);
                removeOne(address, one.address());
            }
        }
    }

    /** The sets' own copies keep what was removed, and joins and collectives send to all of them. */
    private void checkNoSets() {
        if (known.isFrozen() && quirks.has(Quirk.SOFTWARE_COLLECTIVES)) {
            throw new IllegalStateException("fi_av_remove: sets of the address vector were opened, and their "
                    + "collectives send to all of its addresses; close it, or keep a second one for peers that go");
        }
    }

    private void removeOne(long address, long pointer) {
        // only with the last of several removals: a provider may drop a peer with the first, whoever else inserted it
        if (!known.remove(address)) {
            return;
        }
        users.addressRemoved(address);
        try {
            if (!marksRemoved) {
                // threads inside may be sending to it
                users.whileNobodyIsInside(() -> {
                    removeFromProvider(pointer);
                    users.addressRemoved(address);
                });
            }
        } catch (FabricException | IllegalStateException stays) {
            known.add(address);
            throw stays;
        }
        names.removed(address);
    }

    private void removeFromProvider(long pointer) {
        int result = vector.call(av -> AvOps.remove(av, pointer, 1, 0));
        boolean complains = result == -Errno.EINVAL && quirks.has(Quirk.REMOVES_AND_COMPLAINS);
        Results.check("fi_av_remove", complains ? 0 : result, null);
    }
}
