// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes into an address vector, and what is believed to be in it. */
class VectorGateTest {
    private static final int SHM_PEERS = 256;

    private static MemorySegment packed(Arena arena, byte[]... addresses) {
        int total = 0;
        for (byte[] address : addresses) {
            total += address.length;
        }
        MemorySegment memory = arena.allocate(total, 8);
        long at = 0;
        for (byte[] address : addresses) {
            MemorySegment.copy(address, 0, memory, ValueLayout.JAVA_BYTE, at, address.length);
            at += address.length;
        }
        return memory;
    }

    private static void unknown(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not in the address vector");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void rawInsertionsAreRemembered(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofConfined()) {
            byte[] peer = pair.b.endpoint.address().bytes();
            MemorySegment one = packed(arena, peer);
            long known = pair.a.peer;
            assertThat(pair.a.addresses.insertAll(one, 1, null)).isEqualTo(1);
            for (long nobody : new long[] {known + 2, known + 1000, 1L << 40, 1L << 63, -1}) {
                unknown(() -> pair.a.endpoint.messages().send(MemorySegment.NULL, nobody, 1));
                unknown(() -> pair.a.addresses.remove(nobody));
                unknown(() -> pair.a.addresses.lookup(nobody));
            }
            assertThat(pair.a.addresses.insertAll(one, 0, null)).isZero();
        }
    }

    @Test
    void anEndpointOfThisProcessThatWasClosedIsCalledThat() {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            pair.b.endpoint.close();
            assertThatThrownBy(() -> pair.a.endpoint.messages().send(MemorySegment.NULL, pair.a.peer, 1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("EHOSTDOWN")
                    .hasMessageContaining("was closed");
            unknown(() -> pair.a.endpoint.messages().send(MemorySegment.NULL, pair.a.peer + 2, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void severalAreRemovedOrNone(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            long peer = pair.a.peer;
            unknown(() -> pair.a.addresses.remove(peer, 77));
            assertThatThrownBy(() -> pair.a.addresses.remove(peer, peer)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is to be removed twice");
            pair.connect();
            pair.a.addresses.remove(peer);
            unknown(() -> pair.a.addresses.remove(peer));
            unknown(() -> pair.a.endpoint.messages().send(MemorySegment.NULL, peer, 1));
        }
    }

    /** With shm, as providers with an index of addresses do, the same peer is the same value. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void whatWasInsertedTwiceIsRemovedTwice(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            long again = pair.a.addresses.insert(pair.b.endpoint.address());
            assumeThat(again).isEqualTo(pair.a.peer);
            pair.a.addresses.remove(again);
            pair.connect();
            pair.a.addresses.remove(again);
            unknown(() -> pair.a.endpoint.messages().send(MemorySegment.NULL, again, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void receiveContextsAreForThoseWhoHaveThem(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            AddressVector vector;
            try {
                vector = pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.withReceiveContextBits(4));
            } catch (FabricException unsupported) {
                abort(choice + ": " + unsupported.getMessage());
                return;
            }
            long address = vector.insert(pair.b.endpoint.address());
            long context = AddressVector.receiveContextAddress(address, 3, 4);
            unknown(() -> vector.remove(context));
            unknown(() -> vector.lookup(context));
        }
        for (int[] bad : new int[][] {{0, 0}, {-1, 4}, {16, 4}, {1, 64}, {1, -1}}) {
            assertThatThrownBy(() -> AddressVector.receiveContextAddress(0, bad[0], bad[1]))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fi_rx_addr");
        }
    }

    /** An index is an int: a vector with more bits would be of no use, as no address of it could be composed. */
    @Test
    void aVectorTakesTheReceiveContextsThatAnAddressCanName() {
        AddressVectorAttributes most = AddressVectorAttributes.DEFAULT.withReceiveContextBits(31);
        assertThat(AddressVector.receiveContextAddress(5, Integer.MAX_VALUE, most.receiveContextBits()))
                .isEqualTo(-1L << 33 | 5);
        assertThatThrownBy(() -> most.withReceiveContextBits(32)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("receiveContextBits: 32 is not between 0 and 31");
        assertThatThrownBy(() -> AddressVector.receiveContextAddress(5, 16, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("fi_rx_addr: receive context 16 does not fit in 4 bits; open the address vector with more "
                        + "receiveContextBits, 31 at most");
        assertThatThrownBy(() -> AddressVector.receiveContextAddress(5, 16, 32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("fi_rx_addr: receiveContextBits: 32 is not between 1 and 31");
    }

    /** In a process of its own: a provider that looks for the context behind its table of peers crashes. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whoSaysMoreReceiveContextsDoesNotHaveThem(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(MoreContexts.class, choice.provider());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("maxEndpointRxContexts");
    }

    /** Sends to a receive context after raising their number in the info. */
    static final class MoreContexts {
        private MoreContexts() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.RDM);
            try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo info = infos.first().duplicate();
                    Fabric fabric = Fabric.open(info)) {
                info.domain().limits().maxEndpointRxContexts(infos.first().domain().limits().maxEndpointRxContexts()
                        + 1);
                Domain domain = fabric.openDomain(info);
                AddressVector vector = domain.openAddressVector(AddressVectorAttributes.DEFAULT
                        .withReceiveContextBits(4));
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(vector).enable();
                long peer = vector.insert(endpoint.address());
                endpoint.messages().send(Arena.ofAuto().allocate(8),
                        AddressVector.receiveContextAddress(peer, 3, 4), 1);
            } catch (IllegalArgumentException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void strangeAddressesAreRefused(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofConfined()) {
            if (!choice.usesNetwork()) {
                byte[] name = "x".repeat(300).concat("\0").getBytes(StandardCharsets.US_ASCII);
                assertThatThrownBy(() -> pair.a.addresses.insert(name)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("301 bytes");
                return;
            }
            assumeThat(pair.info.addressFormat()).isEqualTo(AddressFormat.SOCKADDR_IN);
            byte[] strange = pair.b.endpoint.address().bytes();
            strange[0] = (byte) 255;
            MemorySegment raw = packed(arena, pair.b.endpoint.address().bytes(), strange);
            byte[] six = Address.of(new InetSocketAddress("::1", 1)).bytes();
            family(() -> pair.a.addresses.insert(strange));
            family(() -> pair.a.addresses.insert(Address.ofCode(pair.info.addressFormatCode(), strange)));
            family(() -> pair.a.addresses.insertAll(raw, 2, null));
            assertThatThrownBy(() -> pair.a.addresses.insert(six)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("28 bytes");
            assertThatThrownBy(() -> pair.a.addresses.toText(Address.of("fi_shm://1")))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("FI_ADDR_STR");
        }
    }

    private static void family(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("family 255");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void symmetricInsertionHasALimit(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            for (long[] many : new long[][] {{65_536, 1}, {1, 65_536}, {1L << 40, 1L << 40}, {100, 100}}) {
                assertThatThrownBy(() -> pair.a.addresses.insertSymmetric("127.0.0.1", many[0], "1", many[1]))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("more than 1024");
            }
            for (String[] empty : new String[][] {{"", "1"}, {"127.0.0.1", ""}}) {
                assertThatThrownBy(() -> pair.a.addresses.insertSymmetric(empty[0], 1, empty[1], 1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("must not be empty");
            }
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void shmHasRoomForSomany(Providers.Choice choice) {
        assumeThat(choice).isEqualTo(Providers.SHM);
        try (Pair pair = Pair.open(choice)) {
            // removed and inserted again and again, one peer takes one place
            for (int i = 0; i < 2 * SHM_PEERS; i++) {
                pair.a.addresses.remove(pair.a.peer);
                assertThat(pair.a.addresses.insert(pair.b.endpoint.address())).isEqualTo(pair.a.peer);
            }
            pair.connect();
        }
    }
}
