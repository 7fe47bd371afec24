// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Counter;
import io.jfabric.FabricException;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Errors of a counter that are set to what they are, while somebody waits. In a JVM of its own: once rxd has had a
 * counter, none of the process waits in its provider any more.
 */
@Timeout(90)
class SetErrorsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    /** Waits for counters of several providers. */
    public static final class Waiter {
        public static void main(String[] args) {
            Providers.offered(Providers.SOCKETS, Providers.SHM, Providers.RXM).forEach(choice -> {
                try (Pair pair = Pair.open(choice)) {
                    System.out.println("WAITED on " + choice + ": " + wait(pair.domain.openCounter()));
                }
            });
        }

        private static String wait(Counter counter) {
            counter.setErrors(2);
            AtomicBoolean over = new AtomicBoolean();
            try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                other.submit(() -> {
                    for (int i = 0; i < 10; i++) {
                        LockSupport.parkNanos(5_000_000);
                        counter.setErrors(2);
                    }
                    counter.add(1);
                    for (int errors = 3; !over.get(); errors++) {
                        LockSupport.parkNanos(50_000_000);
                        counter.setErrors(errors);
                    }
                });
                try {
                    return "reached 1: " + counter.await(1, LONG) + ", 2: " + counter.await(2, LONG);
                } catch (FabricException failed) {
                    return failed.error() + " at " + counter.read();
                } finally {
                    over.set(true);
                }
            }
        }
    }

    @Test
    void onlyOthersEndTheWait() {
        ChildJvm.Result result = ChildJvm.of(Waiter.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(line -> line.startsWith("WAITED"))).as(result.output()).isNotEmpty()
                .allSatisfy(line -> assertThat(line).endsWith(": EAVAIL at 1"));
    }
}
