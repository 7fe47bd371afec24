// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.launch.internal.job.RosterImpl;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranks that a job does not have. */
class RosterTest {
    @Test
    void ofARankThatIsNotThereItSaysWhichAre() {
        Roster roster = new RosterImpl(new long[] {3, 4}, List.of(new byte[] {1}, new byte[] {2}));
        assertThat(roster.peer(1)).isEqualTo(4);
        for (int rank : new int[] {-1, 2}) {
            assertThatThrownBy(() -> roster.peer(rank)).isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("peer: there is no rank " + rank + "; take one from 0 to 1");
            assertThatThrownBy(() -> roster.address(rank)).isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("address: there is no rank " + rank + "; take one from 0 to 1");
        }
    }
}
