// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The value that peers exchange. */
class RemoteRegionTest {
    @Test
    void survivesTheWayAsBytes() {
        RemoteRegion plain = RemoteRegion.of(0x7F00_1234_5678L, 4096, -2);
        assertThat(RemoteRegion.of(plain.toBytes())).isEqualTo(plain).hasSameHashCodeAs(plain);
        RemoteRegion raw = RemoteRegion.ofRaw(0, 10, 99, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        RemoteRegion copy = RemoteRegion.of(raw.toBytes());
        assertThat(copy).isEqualTo(raw).hasSameHashCodeAs(raw).isNotEqualTo(plain);
        assertThat(plain.rawKey()).isEmpty();
        assertThat(copy.rawKey()).isEqualTo(raw.rawKey()).isPresent();
        assertThat(copy.key()).isEqualTo(-1);
        assertThat(copy.toString()).contains("10 bytes").contains("0102030405060708090a");
    }

    /** The bytes go between versions and machines: they must not change by accident. */
    @Test
    void hasAFixedForm() {
        assertThat(HexFormat.of().formatHex(RemoteRegion.of(1, 2, 3).toBytes()))
                .isEqualTo("6a665201" + "0000000000000001" + "0000000000000002" + "0000000000000003");
    }

    @Test
    void refusesOtherBytes() {
        byte[] good = RemoteRegion.of(1, 2, 3).toBytes();
        for (byte[] bad : new byte[][] {new byte[0], new byte[28], Arrays.copyOf(good, 27), new byte[3]}) {
            assertThatThrownBy(() -> RemoteRegion.of(bad)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("RemoteRegion");
        }
        assertThatThrownBy(() -> RemoteRegion.of(0, -1, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RemoteRegion.of(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void slicesStayInside() {
        RemoteRegion region = RemoteRegion.of(1000, 100, 3);
        RemoteRegion slice = region.slice(40, 60);
        assertThat(slice.base()).isEqualTo(1040);
        assertThat(slice.byteSize()).isEqualTo(60);
        assertThat(slice.key()).isEqualTo(3);
        for (long[] bad : new long[][] {{-1, 1}, {0, 101}, {100, 1}, {1, Long.MAX_VALUE}, {Long.MAX_VALUE, 1}}) {
            assertThatThrownBy(() -> region.slice(bad[0], bad[1])).isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("100 bytes");
        }
    }
}
