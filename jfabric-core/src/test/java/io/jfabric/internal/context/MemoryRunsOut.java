// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.ArrayList;
import java.util.List;

/** A slab grows when there is no memory, and again when there is: the JVM of {@link MemoryRunsOutTest}. */
final class MemoryRunsOut {
    /** So many chunks that what grows with the next is 512 KiB. */
    private static final int CHUNKS = 1024;
    private static final int BLOCK = 64 << 10;

    private static List<byte[]> ballast = new ArrayList<>(4096);

    private MemoryRunsOut() {
    }

    /** How many chunks others have: with 0 the registry's list has to grow, with 1 only the slab's. */
    public static void main(String[] args) {
        ContextRegistry registry = new ContextRegistry(false);
        ContextSlab others = new ContextSlab(registry, false);
        for (int i = 0; i < Integer.parseInt(args[0]) * ContextChunk.SLOTS; i++) {
            others.acquire(-1, null, ContextSlab.PLAIN);
        }
        ContextSlab slab = new ContextSlab(registry, false);
        int before = CHUNKS * ContextChunk.SLOTS;
        long[] tokens = new long[before + 1000];
        for (int i = 0; i < before; i++) {
            tokens[i] = slab.acquire(i, null, ContextSlab.PLAIN);
        }
        System.out.println("had no memory: " + fails(slab) + " " + fails(slab));
        for (int i = before; i < tokens.length; i++) {
            tokens[i] = slab.acquire(i, null, ContextSlab.PLAIN);
        }
        for (int i = 0; i < tokens.length; i++) {
            ContextSlot slot = registry.find(tokens[i]);
            if (slot.context != i) {
                throw new AssertionError(i + ": " + slot.context);
            }
            slab.release(slot);
        }
        System.out.println("under way: " + slab.busy());
    }

    private static boolean fails(ContextSlab slab) {
        try {
            while (true) {
                ballast.add(new byte[BLOCK]);
            }
        } catch (OutOfMemoryError full) {
            // room for what is small
            ballast.removeLast();
            ballast.removeLast();
        }
        try {
            slab.acquire(-1, null, ContextSlab.PLAIN);
            return false;
        } catch (OutOfMemoryError asItShouldBe) {
            return true;
        } finally {
            ballast.clear();
        }
    }
}
