// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.AvType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Address vectors on every provider without connections. */
class AddressVectorTest {
    /** The most that one of shm's address vectors takes, with the one that is in it. */
    private static final int SHM_PEERS = 256;

    private static Address peer(int port) {
        return Address.of(new InetSocketAddress("127.0.0.1", port));
    }

    /** rxd inserts no services, and does not find the first of all. */
    static Stream<Providers.Choice> all() {
        return Providers.connectionless().filter(choice -> !choice.equals(Providers.RXD));
    }

    static Stream<Providers.Choice> ip() {
        return all().filter(Providers.Choice::usesNetwork);
    }

    @ParameterizedTest
    @MethodSource("all")
    void looksUpWhatWasInserted(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Address address = pair.b.endpoint.address();
            assertThat(pair.a.peer).isNotEqualTo(Address.NOT_AVAILABLE);
            Address found = pair.a.addresses.lookup(pair.a.peer);
            if (choice.equals(Providers.SHM) && Fabric.version().atLeast(new Version(2, 0))) {
                assertThat(address.toString()).as("it drops the scheme").isEqualTo("fi_shm://" + found);
            } else {
                assertThat(found).isEqualTo(address);
            }
            assertThat(pair.a.addresses.type()).isIn(AvType.MAP, AvType.TABLE);
            // sockets leaves out the scheme
            assertThat(address.toString()).endsWith(pair.a.addresses.toText(address));
            pair.a.addresses.remove(pair.a.peer);
            if (choice.equals(Providers.UDP) || choice.equals(Providers.SHM)) {
                assertThat(pair.a.addresses.insert(found.bytes())).as("its place is free").isEqualTo(pair.a.peer);
            }
        }
    }

    @Test
    void rxdFindsAllButTheFirst() {
        Providers.RXD.assumeOffered();
        try (Pair pair = Pair.open(Providers.RXD)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            AddressVector av = pair.domain.openAddressVector();
            long first = av.insert(peer(41_000));
            long second = av.insert(peer(41_001));
            assertThat(av.lookup(second)).isEqualTo(peer(41_001));
            if (Fabric.version().atLeast(new Version(2, 4))) {
                assertThat(av.lookup(first)).isEqualTo(peer(41_000));
            } else {
                assertThatThrownBy(() -> av.lookup(first)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("does not find the address that was inserted first");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ip")
    void insertsManyAtOnce(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            List<Address> addresses = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                addresses.add(peer(41_000 + i));
            }
            AddressVector av = pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.withCount(200));
            List<AddressInsertion> results = av.insert(addresses);
            assertThat(results).hasSize(50).allMatch(AddressInsertion::isInserted);
            assertThat(results).extracting(AddressInsertion::fabricAddress).doesNotHaveDuplicates();
            for (int i = 0; i < 50; i++) {
                assertThat(av.lookup(results.get(i).fabricAddress())).isEqualTo(addresses.get(i));
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment packed = arena.allocate(16 * 3, 8);
                for (int i = 0; i < 3; i++) {
                    packed.asSlice(i * 16L, 16).copyFrom(MemorySegment.ofArray(peer(42_000 + i).bytes()));
                }
                MemorySegment values = arena.allocate(ValueLayout.JAVA_LONG, 3);
                assertThat(av.insertAll(packed, 3, values)).isEqualTo(3);
                assertThat(av.lookup(values.getAtIndex(ValueLayout.JAVA_LONG, 2))).isEqualTo(peer(42_002));
                assertThatThrownBy(() -> av.insertAll(packed, 4, values))
                        .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("fi_av_insert");
                packed.set(ValueLayout.JAVA_SHORT, 2 * 16, (short) 99);
                assertThatThrownBy(() -> av.insertAll(packed, 3, values)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("fi_av_insert, index 2 of 3: the address begins with the address family")
                        .hasMessageContaining("InetSocketAddress");
                Address bad = Address.ofCode(pair.info.addressFormatCode(),
                        packed.asSlice(2 * 16, 16).toArray(ValueLayout.JAVA_BYTE));
                assertThatThrownBy(() -> av.insert(List.of(peer(42_100), bad)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("fi_av_insert, index 1 of 2: the address begins with the address family");
            }
        }
    }

    /** Another thread writes to the memory meanwhile: the provider reads what was checked. */
    @ParameterizedTest
    @MethodSource("ip")
    void insertsWhatWasChecked(Providers.Choice choice) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofShared()) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            MemorySegment one = arena.allocate(16, 8).copyFrom(MemorySegment.ofArray(peer(42_100).bytes()));
            byte family = one.get(ValueLayout.JAVA_BYTE, 0);
            Thread writer = Thread.ofPlatform().start(() -> {
                while (!stop.get()) {
                    one.set(ValueLayout.JAVA_BYTE, 0, (byte) 99);
                    one.set(ValueLayout.JAVA_BYTE, 0, family);
                }
            });
            for (int i = 0; i < 20_000; i++) {
                try {
                    assertThat(pair.a.addresses.insertAll(one, 1, null)).isEqualTo(1);
                } catch (IllegalArgumentException seen) {
                    assertThat(seen).hasMessageContaining("family 99");
                }
            }
            stop.set(true);
            writer.join();
        }
    }

    @ParameterizedTest
    @MethodSource("ip")
    void insertsByNodeAndService(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            AddressVector av = pair.domain.openAddressVector();
            assertThat(av.lookup(av.insertService("127.0.0.1", "43001"))).isEqualTo(peer(43_001));
            long[] values = av.insertSymmetric("127.0.0.1", 2, "43100", 3);
            assertThat(values).hasSize(6).doesNotHaveDuplicates();
            assertThat(av.lookup(values[2])).isEqualTo(peer(43_102));
            assertThat(av.lookup(values[3]))
                    .isEqualTo(Address.of(new InetSocketAddress("127.0.0.2", 43_100)));
            assertThatThrownBy(() -> av.insertSymmetric("127.0.0.1", 0, "1", 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nodeCount 0");
        }
    }

    /** Some providers say that all went in, and hand out -1, which stands for anyone. */
    @ParameterizedTest
    @MethodSource("ip")
    void nothingRefusedIsTakenForInserted(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            AddressVector av = pair.domain.openAddressVector();
            assertThatThrownBy(() -> av.insertService("127.0.0.1", "0")).isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_av_insertsvc").hasMessageContaining("service 0");
            assertThatThrownBy(() -> av.insertSymmetric("127.0.0.1", 2, "0", 1)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_av_insertsym");
            assertThat(av.lookup(av.insertService("127.0.0.1", "43001"))).isEqualTo(peer(43_001));
        }
    }

    /** libfabric would take the one for octal, and the other for no port at all. */
    @ParameterizedTest
    @MethodSource("ip")
    void takesNoOtherPort(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            AddressVector av = pair.domain.openAddressVector();
            assertThat(av.lookup(av.insertService("127.0.0.1", "00010"))).isEqualTo(peer(10));
            assertThat(av.lookup(av.insertSymmetric("127.0.0.1", 1, "00010", 2)[1])).isEqualTo(peer(11));
            if (!choice.provider().equals("sockets")) {
                assertThatThrownBy(() -> av.insertService("127.0.0.1", "domain"))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("give the port");
            }
        }
    }

    /** libfabric would cut all addresses of the vector to the length of that one, and take no more. */
    @ParameterizedTest
    @MethodSource("ip")
    void takesNoOtherFamily(Providers.Choice choice) {
        try (Hints hints = choice.hints().addressFormat(AddressFormat.SOCKADDR_IN6)) {
            Optional<FabricInfoList> found = Fabric.findInfo("::1", null, Set.of(GetInfoFlag.SOURCE), hints);
            assumeTrue(found.isPresent(), "no IPv6");
            try (FabricInfoList infos = found.get(); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first());
                 AddressVector vector = domain.openAddressVector()) {
                Address peer = Address.of(new InetSocketAddress("::1", 43_001));
                long value = vector.insert(peer);
                assertThatThrownBy(() -> vector.insertService("127.0.0.1", "43001"))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("give an IPv6 address");
                assertThatThrownBy(() -> vector.insertSymmetric("127.0.0.1", 2, "43001", 1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fi_av_insertsym");
                assertThat(vector.lookup(value)).isEqualTo(peer);
                assertThat(vector.lookup(vector.insert(Address.of(new InetSocketAddress("::1", 43_002)))))
                        .isEqualTo(Address.of(new InetSocketAddress("::1", 43_002)));
            }
        }
    }

    /** One to the next is an addition, which libfabric gets wrong where a byte overflows. */
    @ParameterizedTest
    @MethodSource("ip")
    void countsAddresses(Providers.Choice choice) {
        assumeTrue(!choice.provider().equals("sockets"), "it looks up IPv4 addresses only");
        try (Hints hints = choice.hints().addressFormat(AddressFormat.SOCKADDR_IN6)) {
            Optional<FabricInfoList> found = Fabric.findInfo("::1", null, Set.of(GetInfoFlag.SOURCE), hints);
            assumeTrue(found.isPresent(), "no IPv6");
            try (FabricInfoList infos = found.get(); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first());
                 AddressVector vector = domain.openAddressVector()) {
                assertThat(LongStream.of(vector.insertSymmetric("fd00::fe", 4, "43600", 2)).mapToObj(vector::lookup))
                        .containsExactly(peer("fd00::fe", 43_600), peer("fd00::fe", 43_601), peer("fd00::ff", 43_600),
                                peer("fd00::ff", 43_601), peer("fd00::100", 43_600), peer("fd00::100", 43_601),
                                peer("fd00::101", 43_600), peer("fd00::101", 43_601));
                assertThat(LongStream.of(vector.insertSymmetric("fd00::FFFF:ffff:255.255.255.255", 2, "43600", 1))
                        .mapToObj(vector::lookup)).containsExactly(peer("fd00::ffff:ffff:ffff:ffff", 43_600),
                                peer("fd00:0:0:1::", 43_600));
                assertThat(LongStream.of(vector.insertSymmetric("::ffff:10.0.0.255", 2, "43600", 1))
                        .mapToObj(value -> vector.lookup(value).toString()))
                        .containsExactly("fi_sockaddr_in6://[::ffff:a00:ff]:43600",
                                "fi_sockaddr_in6://[::ffff:a00:100]:43600");
                assertThatThrownBy(() -> vector.insertSymmetric("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 2, "43600",
                        1)).isInstanceOf(FabricException.class);
                for (String none : List.of("fd00::fd::1", "1:2", "fd00:gg::1")) {
                    assertThatThrownBy(() -> vector.insertSymmetric(none, 2, "43600", 1))
                            .isInstanceOf(FabricException.class).hasMessageContaining(none);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ip")
    void countsAddressesOfFourBytes(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            AddressVector vector = pair.domain.openAddressVector();
            assertThat(LongStream.of(vector.insertSymmetric("127.0.0.254", 3, "43600", 1)).mapToObj(vector::lookup))
                    .containsExactly(peer("127.0.0.254", 43_600), peer("127.0.0.255", 43_600),
                            peer("127.0.1.0", 43_600));
        }
    }

    private static Address peer(String host, int port) {
        return Address.of(new InetSocketAddress(InetAddress.ofLiteral(host), port));
    }

    /** Some providers hand on the resolver's number, which is another error's as an errno. */
    @ParameterizedTest
    @MethodSource("ip")
    void saysWhatIsUnknown(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            AddressVector av = pair.domain.openAddressVector();
            assertThatThrownBy(() -> av.insertService("localhost", "no-such-service"))
                    .isInstanceOf(FabricException.class).hasMessageContaining("no-such-service");
            if (!choice.provider().equals("sockets")) {
                assertThatThrownBy(() -> av.insertService("localhost", "no-such-service"))
                        .hasMessageContaining("FI_ENOENT").hasMessageContaining("give the port");
            }
        }
    }

    /** Names that are looked up, not read: libfabric would look up the first one for all. */
    @ParameterizedTest
    @MethodSource("ip")
    void insertsNumberedNames(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            AddressVector av = pair.domain.openAddressVector();
            assertThat(LongStream.of(av.insertSymmetric("localhost", 1, "43200", 3)).mapToObj(av::lookup))
                    .containsExactly(peer(43_200), peer(43_201), peer(43_202));
            // a short form of 127.0.0.9, which is a name to libfabric
            assertThat(LongStream.of(av.insertSymmetric("127.9", 2, "43300", 2)).mapToObj(av::lookup))
                    .containsExactly(Address.of(new InetSocketAddress("127.0.0.9", 43_300)),
                            Address.of(new InetSocketAddress("127.0.0.9", 43_301)),
                            Address.of(new InetSocketAddress("127.0.0.10", 43_300)),
                            Address.of(new InetSocketAddress("127.0.0.10", 43_301)));
            av.remove(av.insertSymmetric("127.0.0.1", 1, "43400", 2));
            for (long services : new long[] {1, 2}) {
                assertThatThrownBy(() -> av.insertSymmetric("no host", 1, "43500", services))
                        .isInstanceOf(FabricException.class).hasMessageContaining("node no host");
            }
        }
    }

    /** Null where the provider has none. */
    @SuppressWarnings("deprecation")
    private static AddressVector asynchronous(Pair pair, Providers.Choice choice, EventQueue events) {
        try {
            return pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.withAsynchronous(true)).bind(events);
        } catch (FabricException unsupported) {
            // libfabric 2 has it in sockets alone
            assertThat(Fabric.version().atLeast(new Version(2, 0)) && !choice.provider().equals("sockets"))
                    .as(unsupported.getMessage()).isTrue();
            assertThat(unsupported.error()).isEqualTo(FabricError.ENOSYS);
            return null;
        }
    }

    @ParameterizedTest
    @MethodSource("ip")
    void anEventTellsOfAnAsynchronousInsertion(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofShared()) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            EventQueue events = pair.fabric.openEventQueue();
            AddressVector av = asynchronous(pair, choice, events);
            assumeTrue(av != null, "no asynchronous insertions");
            MemorySegment packed = arena.allocate(32, 8);
            packed.asSlice(0, 16).copyFrom(MemorySegment.ofArray(peer(44_000).bytes()));
            packed.asSlice(16, 16).copyFrom(MemorySegment.ofArray(peer(44_001).bytes()));
            MemorySegment values = arena.allocate(ValueLayout.JAVA_LONG, 2);
            av.insertAsync(packed, 2, values, 99);
            Optional<FabricEvent> event = events.await(Duration.ofSeconds(5));
            assertThat(event).contains(new FabricEvent.AddressesInserted(av, 99, 2));
            assertThat(av.lookup(values.getAtIndex(ValueLayout.JAVA_LONG, 1))).isEqualTo(peer(44_001));
        }
    }

    /** They would be lost where another thread reads the event, and all look like the address 0. */
    @ParameterizedTest
    @MethodSource("ip")
    void resultsAreForWhoeverReadsTheEvent(Providers.Choice choice) throws Exception {
        try (Pair pair = Pair.open(choice); Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            EventQueue events = pair.fabric.openEventQueue();
            AddressVector av = asynchronous(pair, choice, events);
            assumeTrue(av != null, "no asynchronous insertions");
            MemorySegment packed = confined.allocate(16, 8);
            packed.copyFrom(MemorySegment.ofArray(peer(44_000).bytes()));
            MemorySegment own = confined.allocate(ValueLayout.JAVA_LONG, 1);
            assertThatThrownBy(() -> av.insertAsync(packed, 1, own, 98)).isInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("fi_av_insert").hasMessageContaining("results");
            MemorySegment values = shared.allocate(ValueLayout.JAVA_LONG, 1);
            values.set(ValueLayout.JAVA_LONG, 0, 7);
            av.insertAsync(packed, 1, values, 99);
            FutureTask<Optional<FabricEvent>> event = new FutureTask<>(() -> events.await(Duration.ofSeconds(5)));
            Thread.ofPlatform().start(event);
            assertThat(event.get(10, TimeUnit.SECONDS)).contains(new FabricEvent.AddressesInserted(av, 99, 1));
            assertThat(av.lookup(values.get(ValueLayout.JAVA_LONG, 0))).isEqualTo(peer(44_000));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void reportsEachAddressThatFails(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Address good = pair.b.endpoint.address();
            Address bad = Address.ofCode(good.formatCode(), new byte[] {0});
            assertThatThrownBy(() -> pair.a.addresses.insert(List.of(Address.ofCode(4711, new byte[4]))))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("this domain uses");
            assertThatThrownBy(() -> pair.a.addresses.insert(List.of(good, bad)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(choice.usesNetwork() ? "1 bytes" : "empty");
            if (!choice.usesNetwork()) {
                assertThatThrownBy(() -> pair.a.addresses.insert(List.of(good, name("no/name"))))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("name of a file");
            }
            if (!choice.usesNetwork() && Fabric.version().atLeast(new Version(2, 0))) {
                // libfabric 2 takes every name until it is full; these are of another process
                int places = Quirks.of("shm").has(Quirk.ANSWERS_IN_PROCESS) ? 2 : 1;
                for (int i = places + 1; i < SHM_PEERS; i++) {
                    pair.a.addresses.insert(name("1:0:" + i));
                }
                List<AddressInsertion> results = pair.a.addresses.insert(List.of(name("1:0:1000"), name("1:0:1001")));
                assertThat(results.get(0).isInserted()).isTrue();
                assertThat(results.get(0).error()).isEmpty();
                assertThat(results.get(1).isInserted()).isFalse();
                assertThat(results.get(1).fabricAddress()).isEqualTo(Address.NOT_AVAILABLE);
                assertThat(results.get(1).errno()).isPositive();
            }
        }
    }

    private static Address name(String text) {
        return Address.ofCode((int) AddressFormat.ADDR_STR.code(), (text + '\0').getBytes(StandardCharsets.US_ASCII));
    }

    /** Only sockets shares vectors; the others say so. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aNamedVectorIsSharedForReading(Providers.Choice choice) {
        String name = "jfabric-av-" + ProcessHandle.current().pid();
        AddressVectorAttributes table = AddressVectorAttributes.DEFAULT.withType(AvType.TABLE).withCount(16);
        try (Pair pair = Pair.open(choice)) {
            if (!choice.provider().equals("sockets")) {
                assertThatThrownBy(() -> pair.domain.openAddressVector(table.shared(name)))
                        .isInstanceOf(FabricException.class).hasMessageContaining("fi_av_open");
                return;
            }
            assertThatThrownBy(() -> pair.domain.openAddressVector(table.sharedReadOnly(name)))
                    .as("nobody shares it yet").isInstanceOf(FabricException.class);
            Address address = pair.b.endpoint.address();
            try (AddressVector owner = pair.domain.openAddressVector(table.shared(name))) {
                owner.insert(pair.a.endpoint.address());
                long inserted = owner.insert(address);
                for (long none : new long[] {1 << 16, 0xFFFFFFFFL, -1, Long.MAX_VALUE}) {
                    assertThatThrownBy(() -> owner.remove(none)).isInstanceOf(IllegalArgumentException.class);
                }
                try (AddressVector reader = pair.domain.openAddressVector(table.sharedReadOnly(name))) {
                    assertThat(reader.lookup(inserted)).isEqualTo(address);
                    assertThat(reader.insert(address)).as("finds what is there").isEqualTo(inserted);
                }
            }
            assertThat(Path.of("/dev/shm", name)).doesNotExist();
            try (AddressVector owner = pair.domain.openAddressVector(table.shared(name).withReceiveContextBits(5))) {
                long whole = owner.insert(address);
                assertThatThrownBy(() -> owner.remove(AddressVector.receiveContextAddress(whole, 1, 5)))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not in the address vector");
                owner.remove(whole);
            }
        }
    }
}
