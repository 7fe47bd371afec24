// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.quirk.OwnMemory;
import io.jfabric.internal.quirk.shm.PeerSlot.View;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Names that were told to the dead. An endpoint tells its name to each peer once, through the peer's region, and sends
 * nothing else before it is answered. If the peer's process is dead by then, its file is still there, and so is the
 * region. A process that is started again with that name makes the same region anew, and what was in it is gone; but
 * the endpoint waits for an answer still. So {@link LockRescue}'s thread looks at peers that have not answered: when
 * the region of one is another process's than before, the endpoint's note that it has told its name is taken back, as
 * the provider does itself when a peer removes it, and it tells it to that one.
 *
 * <p>A process that makes a region writes its number last, and before all else where it has it. So the name was there
 * before the region was made anew if it was seen there with another place, or, where places do not differ, for a while.
 */
final class NameRescue {
    private static final Log LOG = Log.of(Endpoint.class);
    /** Looking for a peer takes a while, which who closes the endpoint waits for, and all others with that one. */
    private static final int NEW_AT_A_TIME = 8;
    private static final int LOOKS_UNTIL_AGAIN = 50;

    private final SharedRegion region;
    private final Map<Integer, Asked> asked = new HashMap<>();
    private boolean ended;

    /** A peer that has not answered. */
    private static final class Asked {
        /** Null if it was not found. */
        private final PeerSlot slot;
        /** As it was found first with that process. */
        private View view;
        private int looks;

        Asked(PeerSlot slot) {
            this.slot = slot;
        }

        /** Whether the region is another process's than when the name was in it. */
        boolean isChanged(View now) {
            looks++;
            if (view != null && view.region() == now.region() && view.pid() == now.pid()) {
                return false;
            }
            View before = view;
            boolean isOld = looks > 2;
            view = now;
            looks = 1;
            return before != null && before.region() == now.region() && before.pid() > 0 && now.pid() > 0
                    && (isOld || before.base() != now.base());
        }
    }

    NameRescue(SharedRegion region) {
        this.region = region;
    }

    /** After the last look: the provider may free what it has of its peers. */
    synchronized void end() {
        ended = true;
    }

    synchronized void look() {
        if (ended) {
            return;
        }
        asked.keySet().removeIf(peer -> !region.awaits(peer));
        List<Integer> peers = IntStream.range(0, RegionLayout.PEERS).filter(region::awaits).boxed().toList();
        if (peers.isEmpty()) {
            return;
        }
        try (OwnMemory memory = OwnMemory.open()) {
            int found = 0;
            for (int peer : peers) {
                if (found < NEW_AT_A_TIME && isNew(peer)) {
                    found++;
                    asked.put(peer, new Asked(PeerSlot.of(memory, region, peer, 0)));
                }
                look(memory, peer);
            }
        } catch (IOException e) {
            LOG.debug("cannot look at the own memory this time", e);
        } catch (RuntimeException e) {
            LOG.debug("does not tell the name of " + region.file() + " again any more", e);
            ended = true;
        }
    }

    private boolean isNew(int peer) {
        Asked one = asked.get(peer);
        return one == null || one.slot == null && one.looks++ >= LOOKS_UNTIL_AGAIN;
    }

    private void look(OwnMemory memory, int peer) {
        Asked one = asked.get(peer);
        View now = one == null || one.slot == null ? null : one.slot.view(memory);
        if (now != null && one.isChanged(now)) {
            region.forgetName(peer);
            LOG.debug("tells its name again to {}, which process {} has now", now.file(), now.pid());
        }
    }
}
