// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Version;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Endpoints of another release of libfabric, whose files begin with another number, or do not. */
class ShmLayoutTest {
    private static final String NAME = "jfabric-layout-" + ProcessHandle.current().pid();

    @Test
    void anotherReleaseIsRefused() throws IOException {
        assumeTrue(Providers.SHM.isOffered());
        Path file = Path.of("/dev/shm", NAME);
        try (Pair pair = Pair.open(Providers.SHM)) {
            byte[] region = region(pair);
            region[0]++;
            Files.write(file, region);
            assertThatThrownBy(() -> insert(pair)).isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another release of libfabric").hasMessageContaining("load the same library");
            region[0]--;
            Files.write(file, region);
            assertThat(insert(pair)).isNotNegative();
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** 1.17 and 1.18 have the same number; the fields of the one are made those of the other here. */
    @Test
    void theOtherReleaseWithTheSameNumberIsRefused() throws IOException {
        assumeTrue(Providers.SHM.isOffered());
        Path file = Path.of("/dev/shm", NAME + "-same");
        try (Pair pair = Pair.open(Providers.SHM)) {
            byte[] region = region(pair);
            assumeTrue(region[0] == 4, "a release whose number is its own");
            ByteBuffer fields = ByteBuffer.wrap(region).order(ByteOrder.nativeOrder());
            boolean isOlder = Fabric.version().compareTo(new Version(1, 18)) < 0;
            assertThat(fields.getLong(isOlder ? 64 : 48)).isEqualTo(isOlder ? 128 : 112);
            byte[] address = ("fi_shm://" + file.getFileName() + "\0").getBytes(StandardCharsets.UTF_8);
            fields.putLong(48, isOlder ? 112 : 1024).putLong(64, isOlder ? 557392 : 128);
            Files.write(file, region);
            assertThatThrownBy(() -> pair.a.addresses.insert(address)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(isOlder ? "layout 4 of 1.18" : "layout 4 of 1.17")
                    .hasMessageContaining(isOlder ? "it is 4 of 1.17" : "it is 4 of 1.18");
            Files.write(file, region(pair));
            assertThat(pair.a.addresses.insert(address)).isNotNegative();
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static long insert(Pair pair) {
        return pair.a.addresses.insert(("fi_shm://" + NAME + "\0").getBytes(StandardCharsets.UTF_8));
    }

    /** The beginning of an endpoint's file. */
    private static byte[] region(Pair pair) throws IOException {
        String own = pair.a.endpoint.address().toText();
        return Arrays.copyOf(Files.readAllBytes(Path.of("/dev/shm", own.substring(own.indexOf("://") + 3))), 4096);
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
