// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import io.jfabric.Domain;
import io.jfabric.Fabric;
import io.jfabric.async.BufferPool;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.lang.ref.WeakReference;
import java.time.Duration;

/** Leaves a fabric open, takes a buffer and closes the pool under it. Of {@link LeakPlacesTest}. */
final class LeakPlaces {
    private LeakPlaces() {
    }

    public static void main(String[] args) throws InterruptedException {
        // shm's are never garbage: those of one process are closed together
        try (FabricInfoList infos = Providers.RXM.find(hints -> { })) {
            WeakReference<Fabric> forgotten = new WeakReference<>(forgetsAFabric(infos));
            // and then it is the cleaner's turn, which the parent waits for
            while (forgotten.get() != null) {
                System.gc();
                Thread.sleep(10);
            }
            try (Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
                BufferPool pool = BufferPool.open(domain, 64, 1);
                PooledBuffer buffer = takesABuffer(pool);
                try {
                    pool.close();
                } catch (IllegalStateException refused) {
                    System.out.println("refused: " + refused.getMessage());
                    System.out.println("places: " + refused.getSuppressed().length);
                }
                buffer.close();
                pool.close();
            }
        }
        System.out.println("over");
        Thread.sleep(Duration.ofMinutes(1));
    }

    private static Fabric forgetsAFabric(FabricInfoList infos) {
        return Fabric.open(infos.first());
    }

    private static PooledBuffer takesABuffer(BufferPool pool) {
        return pool.tryTake().orElseThrow();
    }
}
