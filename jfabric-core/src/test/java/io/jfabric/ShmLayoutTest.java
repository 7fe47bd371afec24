// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Endpoints of another release of libfabric, whose files begin with another number. */
class ShmLayoutTest {
    private static final String NAME = "jfabric-layout-" + ProcessHandle.current().pid();

    @Test
    void anotherReleaseIsRefused() throws IOException {
        assumeTrue(Providers.SHM.isOffered());
        Path file = Path.of("/dev/shm", NAME);
        try (Pair pair = Pair.open(Providers.SHM)) {
            byte[] address = ("fi_shm://" + NAME + "\0").getBytes(StandardCharsets.UTF_8);
            String own = pair.a.endpoint.address().toText();
            byte[] region = Arrays.copyOf(
                    Files.readAllBytes(Path.of("/dev/shm", own.substring(own.indexOf("://") + 3))), 4096);
            region[0]++;
            Files.write(file, region);
            assertThatThrownBy(() -> pair.a.addresses.insert(address)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another release of libfabric").hasMessageContaining("load the same library");
            region[0]--;
            Files.write(file, region);
            assertThat(pair.a.addresses.insert(address)).isNotNegative();
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Which anybody may have put there: opening it waits for somebody at its other end. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeIsNoEndpoint() throws IOException, InterruptedException {
        assumeTrue(Providers.SHM.isOffered());
        Path pipe = Path.of("/dev/shm", NAME + "-pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        try (Pair pair = Pair.open(Providers.SHM)) {
            byte[] address = ("fi_shm://" + pipe.getFileName() + "\0").getBytes(StandardCharsets.UTF_8);
            try {
                assertThat(pair.a.addresses.insert(address)).isNotNegative();
            } catch (FabricException absent) {
                assertThat(absent.error()).isEqualTo(FabricError.ENOENT);
            }
        } finally {
            Files.deleteIfExists(pipe);
        }
    }
}
