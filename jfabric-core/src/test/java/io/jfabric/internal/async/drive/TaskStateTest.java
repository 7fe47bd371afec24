// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a callback takes long, or the machine has no processor for it. */
@Timeout(60)
class TaskStateTest {
    @Test
    void whoGetsNoProcessorIsNotSlow() {
        assertThat(new TaskState('R', 7).hadItsTurn(new TaskState('R', 5))).isFalse();
        assertThat(new TaskState('R', 5).hadItsTurn(new TaskState('S', 5))).isFalse();
        assertThat(new TaskState('S', 6).hadItsTurn(new TaskState('R', 5))).isFalse();
        assertThat(new TaskState('S', 5).hadItsTurn(new TaskState('S', 5))).as("blocked").isTrue();
        assertThat(new TaskState('D', 5).hadItsTurn(new TaskState('D', 5))).as("reads a file").isTrue();
        assertThat(new TaskState('R', 15).hadItsTurn(new TaskState('R', 5))).as("computes").isTrue();
    }

    @Test
    void theKernelIsAsked() throws Exception {
        CompletableFuture<Path> file = new CompletableFuture<>();
        CountDownLatch over = new CountDownLatch(1);
        // its name has what ends the name in that file
        Thread sleeps = Thread.ofPlatform().name("a) R 1 (b").start(() -> {
            file.complete(TaskState.fileOfThisThread());
            try {
                over.await();
            } catch (InterruptedException e) {
                // over as well
            }
        });
        Path stat = file.get(30, TimeUnit.SECONDS);
        assertThat(stat).exists();
        while (sleeps.getState() != Thread.State.WAITING || TaskState.of(stat, sleeps).state() != 'S') {
            Thread.sleep(1);
        }
        TaskState before = TaskState.of(stat, sleeps);
        assertThat(TaskState.of(stat, sleeps).hadItsTurn(before)).isTrue();
        assertThat(TaskState.of(null, sleeps).state()).isEqualTo('S');
        assertThat(TaskState.of(TaskState.fileOfThisThread(), Thread.currentThread()).state()).isEqualTo('R');
        over.countDown();
        sleeps.join();
        assertThat(TaskState.of(stat, sleeps)).as("ended").isNotNull();
    }
}
