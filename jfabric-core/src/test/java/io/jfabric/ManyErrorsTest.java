// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** More errors than a queue of the default size has entries, before anybody polls: each is reported. */
@Timeout(90)
class ManyErrorsTest {
    private static final int MANY = 2000;

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void noneIsLost(Providers.Choice provider) {
        try (Pair pair = Pair.open(provider).connect()) {
            MemorySegment in = Arena.ofAuto().allocate(8);
            int posted = 0;
            while (posted < MANY && pair.b.endpoint.tagged().receive(in, Address.ANY, 1, 0, posted)) {
                posted++;
            }
            int cancelled = 0;
            for (long context = 0; context < posted; context++) {
                cancelled += pair.b.endpoint.cancel(context) ? 1 : 0;
            }
            assumeTrue(cancelled > 0, "cannot cancel");
            int all = cancelled;
            pair.until(all + " errors", () -> pair.b.done().size() >= all);
            assertThat(pair.b.done()).hasSize(all).allMatch(done -> done.error() != null)
                    .extracting(done -> done.context()).doesNotHaveDuplicates();
        }
    }
}
