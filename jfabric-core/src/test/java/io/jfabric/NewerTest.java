// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.MrMode;
import io.jfabric.info.Version;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What libfabric has got since 2.1, in libraries with it and without, and what nobody knows yet. */
class NewerTest {
    private static final byte[] ANY_PORT = {2, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};

    private static boolean has(int major, int minor) {
        return Fabric.version().atLeast(new Version(major, minor));
    }

    @Test
    void largestCounterValues() {
        try (Hints hints = Hints.create()) {
            assertThat(hints.domain().limits().maxCounterValue()).isZero();
            assertThat(hints.domain().limits().maxErrorCounterValue()).isZero();
            if (has(2, 5)) {
                hints.domain().limits().maxCounterValue(Long.MAX_VALUE).maxErrorCounterValue(77);
                assertThat(hints.domain().limits().maxCounterValue()).isEqualTo(Long.MAX_VALUE);
                assertThat(hints.toString().lines().map(String::strip)).contains(
                        "max_cntr_value: 9223372036854775807", "max_err_cntr_value: 77");
                assertThatThrownBy(() -> hints.domain().limits().maxCounterValue(-1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("max_cntr_value: -1");
            } else {
                assertThatThrownBy(() -> hints.domain().limits().maxCounterValue(1)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("max_cntr_value").hasMessageContaining("2.5");
                assertThatThrownBy(() -> hints.domain().limits().maxErrorCounterValue(1))
                        .isInstanceOf(FabricException.class).hasMessageContaining("max_err_cntr_value");
            }
        }
    }

    @Test
    void oneFormatForBothIpFamilies() {
        try (Hints hints = Hints.create()) {
            hints.sourceAddress(Address.of(AddressFormat.SOCKADDR_IP, ANY_PORT));
            assertThat(hints.addressFormat()).isEqualTo(AddressFormat.SOCKADDR_IP);
            assertThat(hints.sourceAddress().orElseThrow().toString()).isEqualTo("fi_sockaddr_in://127.0.0.1:0");
            if (has(2, 3)) {
                assertThat(hints.toString()).contains("addr_format: FI_SOCKADDR_IP");
            }
        }
    }

    /** Bits that no release has given a meaning: they stay, and are printed as numbers. */
    @Test
    void bitsOfReleasesToComeStayAndArePrinted() {
        try (Hints hints = Hints.create()) {
            hints.capabilities(Flags.ofBits(Capability.class, Capability.MSG.code() | 1L << 44));
            hints.domain().mrMode(Flags.ofBits(MrMode.class, MrMode.LOCAL.code() | 1L << 12));
            assertThat(hints.capabilities().bits()).isEqualTo(Capability.MSG.code() | 1L << 44);
            assertThat(hints.capabilities().unknown()).isEqualTo(1L << 44);
            assertThat(hints.capabilities().toString()).contains("MSG").contains("0x100000000000");
            assertThat(hints.domain().mrMode().toString()).contains("LOCAL").contains("0x1000");
            try (Hints copy = Hints.copyOf(hints)) {
                assertThat(copy.capabilities()).isEqualTo(hints.capabilities());
                assertThat(copy.domain().mrMode()).isEqualTo(hints.domain().mrMode());
            }
        }
    }

    @Test
    void nothingIsSentToWhomAFirewallProtects() {
        Providers.Choice choice = has(2, 2) ? Providers.TCP_RDM : Providers.RXM;
        assumeTrue(choice.isOffered(), "no tcp");
        try (Pair pair = Pair.open(choice)) {
            Address peer = pair.b.endpoint.address();
            if (!has(2, 2)) {
                assertThatThrownBy(() -> pair.a.addresses.insertBehindFirewall(peer))
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("FI_FIREWALL_ADDR needs libfabric 2.2");
                return;
            }
            long there = pair.a.addresses.insertBehindFirewall(peer);
            MemorySegment letter = Bytes.pattern(Arena.ofAuto(), 8, 1);
            MemorySegment in = Arena.ofAuto().allocate(8);
            assertThatThrownBy(() -> pair.post(() -> pair.a.endpoint.messages().send(letter, there, 1)))
                    .isInstanceOfSatisfying(FabricException.class,
                            e -> assertThat(e.error()).isEqualTo(FabricError.EFIREWALLADDR));
            // who connects from behind it can be answered
            pair.post(() -> pair.a.endpoint.messages().receive(in, Address.ANY, 2));
            pair.post(() -> pair.b.endpoint.messages().send(letter, pair.b.peer, 3));
            assertThat(pair.await(pair.a, 2).length()).isEqualTo(8);
            assertThat(in.mismatch(letter)).isEqualTo(-1);
            in.fill((byte) 0);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 4));
            pair.post(() -> pair.a.endpoint.messages().send(letter, there, 5));
            pair.await(pair.a, 5);
            assertThat(pair.await(pair.b, 4).length()).isEqualTo(8);
            assertThat(in.mismatch(letter)).isEqualTo(-1);
        }
    }
}
