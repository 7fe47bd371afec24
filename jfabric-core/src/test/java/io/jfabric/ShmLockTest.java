// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shm's endpoints have locks in shared memory, but for 2.5, which a process can take with it when it dies. */
@Timeout(90)
@Tag("long")
class ShmLockTest {
    @BeforeAll
    static void locks() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(Quirks.of("shm").hasAny(Quirk.LOCK_OUTLIVES_PROCESS, Quirk.BUFFER_LOCK_OUTLIVES_PROCESS),
                "there are none");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the test reads the lock as it is on x86");
    }

    @Test
    void aSendReturnsAlthoughItsPeerDiedInsideItsOwnLock() {
        ChildJvm.Result result = ChildJvm.of(ShmLock.class, "sender").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("returned after").contains("SURVIVED");
    }

    @Test
    void aPollReturnsAlthoughAClientDiedInsideIt() {
        ChildJvm.Result result = ChildJvm.of(ShmLock.class, "server").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("died inside the lock").contains("SURVIVED");
    }

    @Test
    void aSendToAnIdleEndpointReturnsAlthoughAnotherClientDiedInsideIt() {
        ChildJvm.Result result = ChildJvm.of(ShmLock.class, "idle").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }
}
