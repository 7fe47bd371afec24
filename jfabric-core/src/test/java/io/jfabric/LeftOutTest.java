// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code FI_PROVIDER} may leave out what another provider is built on: what cannot be opened says so. */
@Timeout(60)
class LeftOutTest {
    @Test
    void aDomainForCollectivesIsThereOrNot() {
        Providers.RXM.assumeOffered();
        assertThat(Providers.RXM.isOffered(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.COLLECTIVE))).isTrue();
        ChildJvm.Result result = ChildJvm.of(LeftOut.class).environment("FI_PROVIDER", "tcp,ofi_rxm").run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).containsAnyOf("opened", "fi_domain: FI_ENODATA", "fi_getinfo: FI_ENODATA");
    }

    @Test
    void whatIsLeftOutIsNoWantOfADevice() {
        ChildJvm.Result result = ChildJvm.of(LeftOutExplained.class, "-", "shm", "SHM", "udp;ofi_rxd", "ofi_rxd", "tcp")
                .environment("FI_PROVIDER", "tcp").run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        String known = " is in this libfabric, but ";
        String leaves = known + "FI_PROVIDER=\"tcp\" in the environment leaves it out";
        assertThat(result.output()).contains("shm: provider \"shm\"" + leaves, "SHM: provider \"SHM\"" + leaves,
                "udp;ofi_rxd: provider \"udp;ofi_rxd\"" + leaves,
                "ofi_rxd: provider \"ofi_rxd\"" + known + "finds nothing to work with on this machine: "
                        + "FI_PROVIDER=\"tcp\" in the environment may leave out what it is built on",
                "tcp: there is a match", "all: found");
    }

    /** The environment of C, which the JVM does not see. */
    @Test
    void whatTheProgramHasLeftOutIsSaidToo() {
        ChildJvm.Result result = ChildJvm.of(LeftOutExplained.class, "^Shm,ofi_rxm", "shm", "tcp;ofi_rxm", "tcp")
                .run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        String leaves = " is in this libfabric, but FI_PROVIDER=\"^Shm,ofi_rxm\" in the environment leaves it out";
        assertThat(result.output()).contains("shm: provider \"shm\"" + leaves,
                "tcp;ofi_rxm: provider \"tcp;ofi_rxm\"" + leaves, "tcp: there is a match", "all: found");
    }

    @Test
    void aNameThatIsNoneLeavesNothing() {
        ChildJvm.Result result = ChildJvm.of(LeftOutExplained.class, "-", "tcp", "any")
                .environment("FI_PROVIDER", "nosuch").run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        String none = "none of the providers that FI_PROVIDER=\"nosuch\" in the environment leaves ";
        assertThat(result.output()).contains("tcp: provider \"tcp\" is in this libfabric, but FI_PROVIDER=\"nosuch\" "
                + "in the environment leaves it out", "any: " + none + "satisfies the hints, and ")
                .containsPattern("all: fi_getinfo: FI_ENODATA.*; " + none + "can be used");
    }
}
