// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A list that is printed has a line for each info, and those that differ have different lines. */
class InfoLinesTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void onlyTheSameHaveTheSameLine(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            List<String> lines = infos.toString().lines().toList();
            assertThat(lines).hasSameSizeAs(infos);
            for (int i = 0; i < lines.size(); i++) {
                assertThat(lines.get(i)).startsWith(infos.get(i).summary());
                for (int j = 0; j < i; j++) {
                    boolean same = infos.get(i).toString().equals(infos.get(j).toString());
                    if (!same) {
                        assertThat(lines.get(i)).isNotEqualTo(lines.get(j));
                    }
                }
            }
        }
    }
}
