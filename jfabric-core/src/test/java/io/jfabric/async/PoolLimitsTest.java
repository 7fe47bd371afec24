// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
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
            assertThatIllegalArgumentException().isThrownBy(() -> pool.tryClose(Duration.ofNanos(-1)))
                    .withMessageContaining("BufferPool.tryClose").withMessageContaining("negative");
            assertThat(pool.isOpen()).isTrue();
        }
    }

    @Test
    void whoCannotCloseItHasChangedNothing() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            PooledBuffer only = pool.take(Duration.ZERO);
            assertThat(pool.tryClose()).isFalse();
            assertThat(pool.tryClose(Duration.ofMillis(20))).isFalse();
            assertThat(pool.isOpen()).isTrue();
            only.close();
            assertThat(pool.tryClose()).isTrue();
            assertThat(pool.isOpen()).isFalse();
            assertThat(pool.tryClose(Duration.ZERO)).as("again").isTrue();
        }
    }

    @Test
    void anInterruptEndsTheWaitForTheLastBuffer() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1); PooledBuffer only = pool.take(Duration.ZERO)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> pool.tryClose(Duration.ofSeconds(50))).isInstanceOfSatisfying(
                    FabricException.class, why -> assertThat(why.error()).isEqualTo(FabricError.EINTR));
            assertThat(Thread.interrupted()).as("it stays so").isTrue();
            assertThat(pool.isOpen()).isTrue();
            assertThat(only.segment().byteSize()).isEqualTo(64);
        }
    }
}
