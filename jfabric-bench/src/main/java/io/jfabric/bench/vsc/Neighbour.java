// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.util.concurrent.locks.LockSupport;

/** What else an application does: allocates steadily, and keeps some of it for a while. */
final class Neighbour implements Runnable {
    private static final int BLOCK = 1024;
    private static final int KEPT = 64 << 10;
    private static final double BYTES_PER_NANO = 1e-3;

    private final int megabytesPerSecond;
    private final byte[][] kept = new byte[KEPT][];

    Neighbour(int megabytesPerSecond) {
        this.megabytesPerSecond = megabytesPerSecond;
    }

    @Override
    public void run() {
        long start = System.nanoTime();
        long bytes = 0;
        for (int i = 0; true; i = (i + 1) % KEPT) {
            kept[i] = new byte[BLOCK];
            bytes += BLOCK;
            if (i % BLOCK == 0) {
                double due = bytes / (megabytesPerSecond * BYTES_PER_NANO);
                long early = (long) due - (System.nanoTime() - start);
                if (early > 0) {
                    LockSupport.parkNanos(early);
                }
            }
        }
    }
}
