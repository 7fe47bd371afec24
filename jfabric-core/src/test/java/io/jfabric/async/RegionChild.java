// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.MemoryRegion;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** A peer with memory to read: PROVIDER. Prints its address and its region. Ends with its stdin. */
final class RegionChild {
    /** Each piece is full of its number. */
    static final int PIECES = 64;
    static final int SIZE = 4096;

    private RegionChild() {
    }

    public static void main(String[] args) throws IOException {
        try (Hints hints = Hints.rdm().provider(args[0]); Node node = Node.open(hints)) {
            MemorySegment memory = node.allocate(PIECES * SIZE);
            for (int i = 0; i < PIECES * SIZE / 4; i++) {
                memory.setAtIndex(ValueLayout.JAVA_INT, i, i * 4 / SIZE);
            }
            MemoryRegion region = node.register(memory, MemoryAccess.REMOTE_READ);
            HexFormat hex = HexFormat.of();
            System.out.println("at " + hex.formatHex(node.address().bytes()) + " "
                    + hex.formatHex(region.remote().toBytes()));
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        }
    }
}
