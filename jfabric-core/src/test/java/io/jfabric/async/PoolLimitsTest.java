// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a buffer can be retained, and how long the end of a pool is waited for. */
class PoolLimitsTest {
    private static final int MOST = 32_767;

    private Pair pair;

    @BeforeEach
    void open() {
        pair = Pair.open(Providers.SHM);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void oneMoreThanTheLimitIsRefusedAndChangesNothing() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            PooledBuffer buffer = pool.tryTake().orElseThrow();
            for (int i = 0; i < MOST; i++) {
                buffer.retain();
            }
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(buffer::retain).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("retained " + MOST + " times");
            }
            buffer.close();
            for (int i = 0; i < MOST; i++) {
                assertThat(pool.taken()).isOne();
                buffer.release();
            }
            assertThat(pool.taken()).isZero();
            assertThatThrownBy(buffer::release).isInstanceOf(IllegalStateException.class);
            pool.tryTake().orElseThrow().close();
        }
    }

    @Test
    void aNegativeTimeoutIsRefused() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            assertThatIllegalArgumentException().isThrownBy(() -> pool.close(Duration.ofNanos(-1)))
                    .withMessageContaining("BufferPool.close").withMessageContaining("negative");
            assertThat(pool.isOpen()).isTrue();
        }
    }

    @Test
    void anInterruptEndsTheWaitForTheLastBuffer() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1); PooledBuffer only = pool.take(Duration.ZERO)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> pool.close(Duration.ofSeconds(50))).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("interrupted").hasMessageContaining("1 of 1 are taken");
            assertThat(Thread.interrupted()).as("it stays so").isTrue();
            assertThat(pool.isOpen()).isTrue();
            assertThat(only.segment().byteSize()).isEqualTo(64);
        }
    }
}
