// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.EndpointType;
import io.jfabric.testing.Unshared;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A /dev/shm of 64 MiB, as containers have it: the process ended with a SIGBUS. */
@Timeout(90)
class ShmRoomTest {
    private static final Unshared SMALL = Unshared.shm("size=64m");

    @BeforeAll
    static void mayMount() throws InterruptedException {
        SMALL.assumeAllowed();
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"shm, 64000000, 0, 2, 9", "shm, 1000000, 0, 0, 9", "sm2, 64000000, 0, 9, 16", "sm2, 1000000, 0, 0, 1",
        "sm2, 0, 0, 0, 1", "sm2, 0, 1, 0, 1", "sm2, 1000000, 2, 2, 3"})
    void whatDoesNotFitIsRefused(String provider, String left, String before, int atLeast, int below) {
        assumeOffered(provider);
        ChildJvm.Result result = SMALL.child(ShmRoom.class, provider, left, before).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED").contains("FI_ENOSPC").contains("--shm-size");
        String opened = result.output().lines().filter(line -> line.endsWith(" opened")).findFirst().orElseThrow();
        assertThat(Integer.parseInt(opened.split(" ")[0])).isGreaterThanOrEqualTo(atLeast).isLessThan(below);
    }

    private static void assumeOffered(String provider) {
        assumeTrue(new Providers.Choice(provider, EndpointType.RDM).isOffered(), provider + " is not offered");
    }

    @Test
    void whereNothingIsOfferedTheRoomIsWhatIsWanting() {
        assumeOffered("shm");
        assertThat(refusal("size=1m")).contains("FI_ENODATA").contains("/dev/shm for each of the ")
                .contains("--shm-size");
    }

    @Test
    void whereNoFileCanBeMadeThatIsSaid() {
        assumeOffered("shm");
        assertThat(refusal("ro,size=1g")).contains("Read-only file system")
                .contains("mount it so that it may be written to");
    }

    @Test
    void whereThereAreNoInodesThatIsSaid() {
        assumeOffered("shm");
        assertThat(refusal("nr_inodes=1,size=1g")).contains("FI_ENOSPC").contains("df -i /dev/shm")
                .doesNotContain("SIGBUS");
    }

    @Test
    void whereThereIsNoFolderThatIsSaid() {
        assumeOffered("shm");
        Unshared without = new Unshared("-m", "mount -t tmpfs tmpfs /dev && mknod -m 666 /dev/null c 1 3 "
                + "&& mknod -m 666 /dev/random c 1 8 && mknod -m 666 /dev/urandom c 1 9");
        assertThat(without.child(ShmOpen.class).run().output()).contains("FI_ENOENT")
                .contains("a file in /dev/shm, which is not there");
    }

    private static String refusal(String options) {
        return Unshared.shm(options).child(ShmOpen.class).run().output();
    }
}
