// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A /dev/shm of 64 MiB, as containers have it: the process ended with a SIGBUS. */
@Timeout(90)
class ShmRoomTest {
    private static final String MOUNT = "mount -t tmpfs -o size=64m tmpfs /dev/shm";

    @BeforeAll
    static void mayMount() throws IOException, InterruptedException {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        int exit;
        try {
            exit = new ProcessBuilder("unshare", "-m", "sh", "-c", MOUNT).start().waitFor();
        } catch (IOException noProgram) {
            exit = -1;
        }
        assumeTrue(exit == 0, "needs the right to mount (unshare -m)");
    }

    @ParameterizedTest
    @CsvSource({"64000000, 2", "1000000, 0"})
    void whatDoesNotFitIsRefused(String left, int atLeast) {
        ChildJvm.Result result = ChildJvm.of(ShmRoom.class, left)
                .prefix("unshare", "-m", "sh", "-c", MOUNT + "; exec \"$@\"", "sh").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED").contains("FI_ENOSPC").contains("--shm-size");
        String opened = result.output().lines().filter(line -> line.endsWith(" opened")).findFirst().orElseThrow();
        assertThat(Integer.parseInt(opened.split(" ")[0])).isGreaterThanOrEqualTo(atLeast).isLessThan(9);
    }

    @Test
    void whereNothingIsOfferedTheRoomIsWhatIsWanting() {
        assertThat(refusal("size=1m")).contains("FI_ENODATA").contains("/dev/shm for each of the ")
                .contains("--shm-size");
    }

    @Test
    void whereNoFileCanBeMadeThatIsSaid() {
        assertThat(refusal("ro,size=1g")).contains("Read-only file system")
                .contains("mount it so that it may be written to");
    }

    private static String refusal(String options) {
        return ChildJvm.of(ShmOpen.class).prefix("unshare", "-m", "sh", "-c", "mount -t tmpfs -o " + options
                + " tmpfs /dev/shm; exec \"$@\"", "sh").run().output();
    }
}
