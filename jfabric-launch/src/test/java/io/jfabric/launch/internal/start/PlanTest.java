// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static List<String> hosts(String hosts, int size) {
        Plan plan = Plan.of("-n", Integer.toString(size), "--hosts", hosts, "true");
        return IntStream.range(0, size).mapToObj(plan::host).toList();
    }

    @Test
    void firstRanksAreOnTheFirstHost() {
        assertThat(hosts("a,b", 4)).containsExactly("a", "a", "b", "b");
        assertThat(hosts("a,b", 3)).containsExactly("a", "a", "b");
        assertThat(hosts("a,b,c,d", 2)).containsExactly("a", "b");
        assertThat(hosts("a,b", 1)).containsExactly("a");
    }

    @Test
    void spacesBesideCommasAreNoPartOfAHost() {
        assertThat(hosts(" a, b ,,", 2)).containsExactly("a", "b");
    }

    @Test
    void twoDashesEndTheOptions() {
        assertThat(Plan.of("-n", "2", "--", "-x", "--").program()).containsExactly("-x", "--");
        assertThatThrownBy(() -> Plan.of("-n", "2", "--")).hasMessage("the program is missing");
    }
}
