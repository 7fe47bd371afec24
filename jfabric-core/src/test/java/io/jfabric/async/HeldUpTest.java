// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A callback that blocks for ever is told of while it does, and deadlines pass nevertheless. */
@Timeout(60)
class HeldUpTest {
    private static final String SAID = "; until that returns, its nodes make progress only now and then";

    @Test
    void aBlockedCallbackIsToldOf() throws Exception {
        Providers.RXM.assumeOffered();
        ChildJvm.Result result = ChildJvm.of(HeldUp.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        String address = result.output().lines().filter(line -> line.startsWith("blocked ")).findFirst().orElseThrow()
                .substring("blocked ".length());
        List<String> told = result.output().lines().filter(line -> line.contains("in one callback")).toList();
        assertThat(told).as(result.output()).singleElement().asString().contains("WARN", address, SAID);
        assertThat(Docs.text(Docs.ROOT.resolve("docs/troubleshooting.md"))).contains(SAID);
        assertThat(result.output()).contains("at io.jfabric.async.HeldUp.blocks(", "still blocked: true")
                .containsPattern("ended with .*FI_ETIMEDOUT");
    }
}
