// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that come from elsewhere: as the text that they print, or as bytes with their format. */
@Timeout(60)
class AddressTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "255.255.255.255", "::", "::1", "2001:db8::2", "1:0:0:2::3",
        "fd00:1:2:3:4:5:6:7"})
    void ofIpIsReadAgain(String host) {
        for (int port : new int[] {0, 7000, 65_535}) {
            Address address = Address.of(new InetSocketAddress(host, port));
            assertThat(Address.of(address.toString())).isEqualTo(address);
            assertThat(Address.of(address.toBytes())).isEqualTo(address);
        }
    }

    /** The JDK would make an IPv4 address of it. */
    @Test
    void ofIpv4InIpv6IsReadAgain() {
        byte[] bytes = Address.of(new InetSocketAddress("2001:db8::", 7000)).bytes();
        ByteBuffer.wrap(bytes).put(8, new byte[10]).putShort(18, (short) -1).putInt(20, 0x7F000001);
        Address address = Address.of(AddressFormat.SOCKADDR_IN6, bytes);
        assertThat(address).hasToString("fi_sockaddr_in6://[::ffff:7f00:1]:7000");
        assertThat(Address.of(address.toString())).isEqualTo(address);
        assertThat(Address.of("fi_sockaddr_in6://[::ffff:127.0.0.1]:7000")).isEqualTo(address);
    }

    @Test
    void ofEachFormatIsReadAgain() {
        for (AddressFormat format : AddressFormat.values()) {
            if (format != AddressFormat.UNRECOGNIZED) {
                byte[] bytes = format == AddressFormat.ADDR_STR ? "fi_shm://1234:0\0".getBytes() : new byte[32];
                Address address = Address.of(format, bytes);
                assertThat(Address.of(address.toString())).isEqualTo(address);
                assertThat(Address.of(address.toBytes())).isEqualTo(address);
            }
        }
        Address strange = Address.ofCode(4711, new byte[] {1, 2, 3});
        assertThat(Address.of(strange.toBytes())).isEqualTo(strange);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fi_sockaddr_in://", "fi_sockaddr_in://localhost:9", "fi_sockaddr_in://127.0.0.1",
        "fi_sockaddr_in://127.0.0.1:65536", "fi_sockaddr_in://127.0.0.256:9", "fi_sockaddr_in://5:9",
        "fi_sockaddr_in://127.0.0.1:9 ", "fi_sockaddr_in://[::1]:9", "fi_sockaddr_in6://::1:9",
        "fi_sockaddr_in6://[::1]", "fi_sockaddr_in6://[:::]:9", "fi_sockaddr_in6://[::1]:99999",
        "fi_sockaddr_in6://[fe80::1%no-such-interface]:9", "fi_sockaddr_in6://[1.2.3.4]:9"})
    void textThatBeginsAsAnIpAddressMustBeOne(String text) {
        assertThatThrownBy(() -> Address.of(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text).hasMessageContaining("fi_sockaddr_in://192.0.2.2:7000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere", "fi_shm://a:b", "FI_NOTHING:00", "FI_ADDR_EFA:0", "FI_UNRECOGNIZED:00", ""})
    void otherTextIsATextAddress(String text) {
        assertThat(Address.of(text).format()).isEqualTo(AddressFormat.ADDR_STR);
        assertThat(Address.of(text).toText()).isEqualTo(text);
    }

    @Test
    void bytesThatAreNoAddressAreRefused() {
        byte[] good = Address.of(new InetSocketAddress("127.0.0.1", 7000)).toBytes();
        for (byte[] bad : new byte[][] {new byte[0], Arrays.copyOf(good, 7), Arrays.copyOfRange(good, 8, good.length),
            new byte[64], RemoteRegion.of(0, 8, 1).toBytes()}) {
            assertThatThrownBy(() -> Address.of(bad)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("take Address.toBytes()");
        }
    }

    /** What is cut short is refused before the provider reads it. */
    @Test
    void bytesThatEndTooSoonConnectToNothing() {
        assumeTrue(Providers.TCP_MSG.isOffered());
        try (Hints hints = Hints.msg().provider("tcp"); Node node = Node.open(hints)) {
            byte[] good = Address.of(new InetSocketAddress("127.0.0.1", 9)).toBytes();
            for (int length = 8; length < good.length; length++) {
                Address address = Address.of(Arrays.copyOf(good, length));
                assertThatThrownBy(() -> node.connect(address)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void connectsByText() throws Exception {
        connects(address -> Address.of(address.toString()));
    }

    @Test
    void connectsByBytes() throws Exception {
        connects(address -> Address.of(address.toBytes()));
    }

    private static void connects(UnaryOperator<Address> told) throws Exception {
        assumeTrue(Providers.TCP_MSG.isOffered());
        try (Hints hints = Hints.msg().provider("tcp")
                .sourceAddress(Address.of(new InetSocketAddress("127.0.0.1", 0)));
             Node server = Node.open(hints); Node client = Node.open(hints); NodeListener listener = server.listen()) {
            CompletableFuture<Peer> asking = client.connect(told.apply(listener.address()));
            listener.next().thenCompose(ConnectionOffer::accept).get(20, TimeUnit.SECONDS);
            assertThat(asking.get(20, TimeUnit.SECONDS).isOpen()).isTrue();
        }
    }

    static Stream<Providers.Choice> withText() {
        return Providers.offered(Providers.RXM, Providers.SHM);
    }

    @ParameterizedTest
    @MethodSource("withText")
    void isInsertedByText(Providers.Choice choice) {
        try (Hints hints = Hints.rdm().provider(choice.provider()); Node node = Node.open(hints)) {
            Address address = Address.of(node.address().toString());
            assertThat(address).isEqualTo(node.address());
            assertThat(node.peer(address).isOpen()).isTrue();
        }
    }

    @Test
    void anotherProvidersIsRefusedWithARemedy() {
        assumeTrue(Providers.TCP_MSG.isOffered());
        try (Hints hints = Hints.msg().provider("tcp"); Node node = Node.open(hints)) {
            assertThatThrownBy(() -> node.connect(Address.of("fi_shm://1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("new InetSocketAddress(host, port)");
        }
    }

    /** They are text addresses, which other providers have. */
    @Test
    void hostAndPortAloneAreRefusedWithARemedy() {
        assumeTrue(Providers.RXM.isOffered());
        try (Hints hints = Hints.rdm().provider("tcp"); Node node = Node.open(hints)) {
            Map.of("127.0.0.1:99", "(\"fi_sockaddr_in://127.0.0.1:99\")", "[::1]:99",
                    "(\"fi_sockaddr_in6://[::1]:99\")", "localhost:99", "").forEach((text, remedy) ->
                    assertThatThrownBy(() -> node.peer(Address.of(text))).isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll(text, "take Address.of(new InetSocketAddress(", remedy));
        }
    }
}
