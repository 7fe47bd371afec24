// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.context.OpenArenas;
import io.jfabric.internal.shared.OpenDomains;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Blocks of closed arenas, not yet freed: operations of other domains may use them. Threads in other fabrics cannot be
 * kept out while the arena closes, as that would take the locks of two fabrics at a time. So the blocks are looked at
 * afterwards, when nothing new can be started with the memory. With a single fabric there are only those that were in
 * use when their domain was closed, such as memory that endpoints with raw contexts may use: they stay until there are
 * no such endpoints. Any thread.
 */
public final class RetiredBlocks {
    private static final List<ArenaBlock> BLOCKS = new ArrayList<>();

    private RetiredBlocks() {
    }

    /** Frees a block as soon as nothing uses it. */
    static void add(ArenaBlock block) {
        synchronized (BLOCKS) {
            BLOCKS.add(block);
        }
    }

    /** The provider has closed an endpoint. Its closer holds locks, so another thread frees what the endpoint kept. */
    public static void closed(Contexts endpoint) {
        if (!endpoint.isRaw()) {
            return;
        }
        synchronized (BLOCKS) {
            if (BLOCKS.isEmpty()) {
                return;
            }
        }
        try {
            Aside.start(RetiredBlocks::sweep);
        } catch (RuntimeException | Error noThread) {
            // later, when there is one
        }
    }

    /** Frees the blocks that nothing uses any more. Call now and then, with no lock held. */
    static void sweep() {
        List<ArenaBlock> candidates;
        synchronized (BLOCKS) {
            if (BLOCKS.isEmpty()) {
                return;
            }
            candidates = new ArrayList<>(BLOCKS);
        }
        // true for as long as they are open, so nobody has to be kept out for these
        if (!OpenDomains.rawUsers().isEmpty()) {
            candidates.removeIf(block -> block.owner().mayBeInRawUse());
        }
        if (candidates.isEmpty()) {
            return;
        }
        // all arenas in one look: all threads are kept out meanwhile, and an arena may have many blocks
        Set<OpenArenas.Owner> owners = Collections.newSetFromMap(new IdentityHashMap<>());
        candidates.forEach(block -> owners.add(block.owner()));
        Set<OpenArenas.Owner> used = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean all = OpenDomains.eachQuiet(contexts -> {
            boolean raw = !contexts.rawUsers().isEmpty();
            owners.stream().filter(owner -> raw && owner.mayBeInRawUse()
                    || !contexts.underWay(kept -> OpenArenas.isFrom(kept, owner)).isEmpty()).forEach(used::add);
        });
        if (!all) {
            return;
        }
        for (ArenaBlock block : candidates) {
            if (!used.contains(block.owner()) && !block.owner().isHeld()) {
                synchronized (BLOCKS) {
                    if (!BLOCKS.remove(block)) {
                        continue;
                    }
                }
                block.free();
            }
        }
    }
}
