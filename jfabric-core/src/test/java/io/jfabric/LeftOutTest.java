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
}
