// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left over is closed as soon as it can be, whatever stands against it at first. */
@Timeout(60)
class LeftoverTest {
    @Test
    void refusalsAreForNow() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        Leftover.close(() -> switch (tries.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("threads stay inside");
            case 2 -> false;
            case 3 -> throw FabricException.of("fi_close", Errno.EBUSY, "");
            default -> closed.complete(tries.get());
        });
        assertThat(closed.get(30, TimeUnit.SECONDS)).isEqualTo(4);
    }
}
