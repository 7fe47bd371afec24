// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.testkit.ChildJvm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked wrongly, and what cannot be had. */
class ResolveTest {
    private static Address loopback(int port) {
        return Address.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    @Test
    void aMachineWithoutDeviceSaysSo() {
        Assumptions.assumeFalse(Files.exists(Path.of("/dev/infiniband/rdma_cm")), "there is a device");
        assertThatThrownBy(() -> RdmaAddressInfo.resolve("127.0.0.1", "7471", RdmaHints.connected()))
                .isInstanceOfSatisfying(RdmaException.class, e -> {
                    assertThat(e.error()).isEqualTo(ResolutionError.SYSTEM);
                    assertThat(e.errno()).isEqualTo(19);
                    assertThat(e.operation()).isEqualTo("rdma_getaddrinfo");
                })
                .hasMessageContainingAll("rdma_getaddrinfo(node=127.0.0.1, service=7471, ", "IBV_QPT_RC",
                        "ENODEV (19): No such device", "no RDMA device", "rdma link");
    }

    @Test
    void aMissingLibraryIsExplained() {
        ChildJvm.Result result = ChildJvm.of(Answers.class, "127.0.0.1|1|0|0|0|0|0|-|-|-")
                .environment("JFABRIC_RDMACM", "/nowhere/librdmacm.so.1").run();
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("librdmacm was not found", "/nowhere/librdmacm.so.1: ",
                "apt install librdmacm1", "dnf install librdmacm", "-Djfabric.rdmacm=");
    }

    @Test
    void anotherLibraryIsNotTakenForIt() {
        ChildJvm.Result result = ChildJvm.of(Answers.class, "127.0.0.1|1|0|0|0|0|0|-|-|-")
                .flags("-Djfabric.rdmacm=libc.so.6").run();
        assertThat(result.output()).contains("libc.so.6: not librdmacm (it has no rdma_getaddrinfo)");
    }

    @Test
    void withoutNativeAccessTheFlagIsNamed() {
        ChildJvm.Result result = ChildJvm.of(Answers.class, "127.0.0.1|1|0|0|0|0|0|-|-|-").withoutNativeAccess()
                .flags("--illegal-native-access=deny").run();
        assertThat(result.output()).contains("--enable-native-access=ALL-UNNAMED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "70000", "-1", "+80", " 80", "80 ", "99999999999999999999", "00000000080"})
    void whatIsNoPortIsRefused(String service) {
        assertThatThrownBy(() -> RdmaAddressInfo.resolve("127.0.0.1", service))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("service: " + service);
    }

    @Test
    void textsThatCannotBeNamesAreRefused() {
        for (String bad : new String[] {"a\0b", "\0", "x".repeat(1025), "\u00e4".repeat(513), "x".repeat(10_000_000),
            "1".repeat(10_000_000)}) {
            assertThatThrownBy(() -> RdmaAddressInfo.resolve(bad, "1")).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("node: ").message().hasSizeLessThan(300);
            assertThatThrownBy(() -> RdmaAddressInfo.resolve(null, bad, RdmaHints.any()))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("service: ").message()
                    .hasSizeLessThan(300);
        }
        assertThatThrownBy(() -> RdmaAddressInfo.resolve("a", "1", null)).isInstanceOf(NullPointerException.class)
                .hasMessageContaining("hints");
    }

    @Test
    void aGidIsDemandedWhereCWouldReadBehindAnIpv4Address() {
        RdmaHints gid = RdmaHints.any().withFamily(RdmaFamily.IB).addFlags(RdmaFlag.NUMERIC_HOST);
        for (String node : new String[] {"127.0.0.1", "localhost", "", null}) {
            assertThatThrownBy(() -> RdmaAddressInfo.resolve(node, "1", gid))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("must be a GID");
        }
    }

    @Test
    void hintsKeepWhatTheyWereGiven() {
        RdmaHints hints = RdmaHints.datagrams().withFamily(RdmaFamily.INET)
                .addFlags(RdmaFlag.PASSIVE, RdmaFlag.NO_ROUTE).withSource(loopback(1)).withDestination(loopback(2))
                .withRoute(new byte[64]).withConnectData(new byte[] {1, 2});
        assertThat(hints.flags()).isEqualTo(Flags.of(RdmaFlag.PASSIVE, RdmaFlag.NO_ROUTE, RdmaFlag.FAMILY));
        assertThat(hints.source()).contains(loopback(1));
        assertThat(hints.destination()).contains(loopback(2));
        assertThat(hints.route()).hasSize(64);
        assertThat(hints).hasToString("RdmaHints[ai_flags=[RAI_PASSIVE, RAI_NOROUTE, RAI_FAMILY], ai_family=AF_INET, "
                + "ai_qp_type=IBV_QPT_UD, ai_port_space=RDMA_PS_UDP, ai_src_addr=fi_sockaddr_in://127.0.0.1:1, "
                + "ai_dst_addr=fi_sockaddr_in://127.0.0.1:2, ai_route=" + "00".repeat(64) + ", ai_connect=0102]");
        assertThat(hints).isEqualTo(hints.withPortSpace(PortSpace.UDP)).hasSameHashCodeAs(hints.withQpType(QpType.UD));
        assertThat(hints).isNotEqualTo(hints.withConnectData(new byte[] {1}));
        assertThat(hints.withFamily(RdmaFamily.UNSPEC).flags().contains(RdmaFlag.FAMILY)).isFalse();
        hints.route()[0] = 1;
        hints.connectData()[0] = 9;
        assertThat(hints.route()[0]).isZero();
        assertThat(hints.connectData()[0]).isEqualTo((byte) 1);
    }

    @Test
    void hintsThatCannotBeAreRefused() {
        RdmaHints any = RdmaHints.any();
        Stream.<Runnable>of(
                () -> any.withSource(Address.of("fi_shm://1")),
                () -> any.withSource(Address.ofCode(0, new byte[0])),
                () -> any.withDestination(Address.ofCode(0, new byte[] {2, 0})),
                () -> any.withDestination(Address.ofCode(0, new byte[28])),
                () -> any.withDestination(Address.ofCode(0, Arrays.copyOf(new byte[] {2}, 17))),
                () -> any.withRoute(new byte[0]),
                () -> any.withRoute(new byte[65]),
                () -> any.withRoute(new byte[1 << 20]),
                () -> any.withConnectData(new byte[1 << 20]),
                () -> any.withFamily(RdmaFamily.UNRECOGNIZED),
                () -> any.withQpType(QpType.UNRECOGNIZED),
                () -> any.withPortSpace(PortSpace.UNRECOGNIZED),
                () -> any.withFlags(Flags.ofBits(RdmaFlag.class, 1L << 32))).forEach(bad ->
                assertThatThrownBy(bad::run).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("RdmaHints"));
        Stream.<Runnable>of(() -> any.withSource(null), () -> any.withFamily(null), () -> any.withRoute(null),
                () -> any.withConnectData(null), () -> any.withFlags(null), () -> any.addFlags(null))
                .forEach(bad -> assertThatThrownBy(bad::run).isInstanceOf(NullPointerException.class));
    }
}
