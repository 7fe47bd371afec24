// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Values as text; what another program, or a broken launcher, may give back. */
class PiecesTest {
    @Test
    void everySizeComesBack() {
        Random random = new Random(1);
        for (int size : new int[] {0, 1, 2, 3, 674, 675, 676, 1_349, 1_350, 1_351, 100_000}) {
            byte[] value = new byte[size];
            random.nextBytes(value);
            List<String> pieces = Pieces.of(value);
            assertThat(Pieces.count(pieces.getFirst())).isEqualTo(pieces.size());
            assertThat(Pieces.together(pieces)).isEqualTo(value);
        }
    }

    @Test
    void whatIsNoPieceIsRefused() {
        for (String bad : new String[] {"", "abc", "x:abc", ":abc", "0:abc", "-5:QUJD", "99999999999:QUJD"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Pieces.count(bad)).withMessageContaining(bad);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Pieces.together(List.of("1:!!!!")));
    }
}
