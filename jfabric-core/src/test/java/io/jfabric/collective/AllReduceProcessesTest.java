// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Meeting;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An all-reduce over four processes on tcp;ofi_rxm. */
@Timeout(60)
@Tag("long")
class AllReduceProcessesTest {
    private static final int SIZE = 4;

    @Test
    void fourProcessesSumTheirNumbers() {
        Providers.RXM.assumeOffered();
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < SIZE; i++) {
                children.add(ChildJvm.of(AllReduceChild.class, "" + SIZE).start());
            }
            Meeting.of(children);
            for (int i = 0; i < SIZE; i++) {
                ChildJvm.Result result = children.get(i).await();
                assertThat(result.exitCode()).as(result.output()).isZero();
                assertThat(result.output()).contains("RANK " + i + " SUMS [15.0, 2.0, -6.0]");
            }
        } finally {
            children.forEach(ChildJvm::close);
        }
    }
}
