// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that nobody can close any more, with a thread of their own and without. */
@Timeout(60)
class ForgottenNodesTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void areWarnedAboutAndListed(Providers.Choice choice) {
        try (ChildJvm child = ChildJvm.of(ForgottenNodes.class, choice.provider()).start()) {
            List<String> lines = child.await().output().lines().toList();
            List<String> driven = after(lines, "driven: ");
            List<String> undriven = after(lines, "undriven: ");
            assertThat(driven).hasSize(2);
            assertThat(undriven).hasSize(2);
            assertThat(lines).filteredOn(line -> line.contains("never closed")).as("the nodes, not their fabrics")
                    .hasSize(4).allMatch(line -> line.contains(" node at "));
            for (String node : driven) {
                assertThat(lines).anyMatch(line -> line.contains(" " + node + " was never closed"));
                assertThat(after(lines, "listed: ")).as("its thread goes on").anyMatch(line ->
                        line.startsWith(node + " (garbage), open for ") && line.contains("ForgottenNodes.forget"));
            }
            for (String node : undriven) {
                assertThat(lines).anyMatch(line -> line.contains(" " + node + " was never closed"));
            }
        }
    }

    private static List<String> after(List<String> lines, String start) {
        return lines.stream().filter(line -> line.startsWith(start)).map(line -> line.substring(start.length()))
                .toList();
    }
}
