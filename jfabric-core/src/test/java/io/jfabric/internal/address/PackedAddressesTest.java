// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Addresses of every format, also of providers that are not here. */
class PackedAddressesTest {
    private static final int SOCKADDR_IP = code(AddressFormat.SOCKADDR_IP);
    private static final int LONGEST = 512;
    private static final Address IPV4 = Address.of(new InetSocketAddress("127.0.0.1", 5000));
    private static final Address IPV6 = Address.of(new InetSocketAddress("::1", 5000));

    private interface Use {
        void accept(PackedAddresses packing, Arena arena);
    }

    private static void with(String provider, int format, Use use) {
        try (FabricInfoList infos = Providers.UDP.find(hints -> { }); FabricInfo info = infos.first().duplicate();
             Arena arena = Arena.ofConfined()) {
            info.fabric().providerName(provider);
            info.addressFormatCode(format);
            use.accept(new PackedAddresses((FabricInfoImpl) info), arena);
        }
    }

    private static int code(AddressFormat format) {
        return (int) format.code();
    }

    private static void refused(PackedAddresses packing, Arena arena, byte[] address, String why) {
        assertThatThrownBy(() -> packing.pack(arena, address)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fi_av_insert").hasMessageContaining(why);
    }

    @Test
    void lengthAndFamilyFollowTheFormat() {
        with("tcp", code(AddressFormat.SOCKADDR_IN), (packing, arena) -> {
            packing.pack(arena, IPV4.bytes());
            refused(packing, arena, IPV6.bytes(), "28 bytes");
            byte[] strange = IPV4.bytes();
            strange[0] = (byte) 255;
            refused(packing, arena, strange, "family 255");
            refused(packing, arena, new byte[0], "empty");
        });
        for (int both : new int[] {SOCKADDR_IP, code(AddressFormat.SOCKADDR)}) {
            with("tcp", both, (packing, arena) -> {
                for (Address good : List.of(IPV4, IPV6)) {
                    packing.checkFormat(good);
                    packing.pack(arena, good.bytes());
                    packing.checkFormat(Address.ofCode(both, good.bytes()));
                }
                byte[] strange = IPV4.bytes();
                strange[0] = 99;
                refused(packing, arena, strange, "family 99");
                assertThatThrownBy(() -> packing.checkFormat(Address.of("fi_shm://1")))
                        .hasMessageContaining("FI_ADDR_STR").hasMessageContaining("this domain uses FI_SOCKADDR");
            });
        }
        assertThat(Address.ofCode(SOCKADDR_IP, IPV4.bytes()).toInetSocketAddress().getPort()).isEqualTo(5000);
    }

    /** As lnx has them, of that many bytes, with parts of these lengths. */
    private static MemorySegment joined(int bytes, int... parts) {
        MemorySegment address = MemorySegment.ofArray(new byte[bytes]);
        address.set(ValueLayout.JAVA_INT_UNALIGNED, JoinedAddress.NAME, parts.length);
        int at = JoinedAddress.HEAD;
        for (int part : parts) {
            address.set(ValueLayout.JAVA_BYTE, at, (byte) 'x');
            address.set(ValueLayout.JAVA_LONG_UNALIGNED, at + JoinedAddress.NAME, part);
            at += JoinedAddress.PART + part;
        }
        return address;
    }

    private static byte[] bytes(MemorySegment address) {
        return address.toArray(ValueLayout.JAVA_BYTE);
    }

    private static void withLnx(Use use) {
        with("lnx", code(AddressFormat.SOCKADDR_IN), use);
    }

    @Test
    void severalProvidersHaveOneLongAddress() {
        withLnx((packing, arena) -> {
            packing.pack(arena, bytes(joined(LONGEST, 18, 16)));
            refused(packing, arena, bytes(joined(LONGEST + 1, 18)), "513 bytes");
            refused(packing, arena, new byte[0], "0 bytes");
            refused(packing, arena, new byte[JoinedAddress.HEAD - 1], "71 bytes");
            for (int count : new int[] {0, -1, Integer.MIN_VALUE, JoinedAddress.MOST + 1}) {
                MemorySegment address = joined(LONGEST, 1);
                address.set(ValueLayout.JAVA_INT_UNALIGNED, JoinedAddress.NAME, count);
                refused(packing, arena, bytes(address), count + " parts");
            }
            MemorySegment one = joined(LONGEST, 1);
            one.set(ValueLayout.JAVA_INT_UNALIGNED, JoinedAddress.NAME, JoinedAddress.MOST);
            refused(packing, arena, bytes(one), "part 1 has no name");
        });
    }

    @Test
    void eachPartIsInItsAddress() {
        int room = LONGEST - JoinedAddress.HEAD - JoinedAddress.PART;
        withLnx((packing, arena) -> {
            packing.pack(arena, bytes(joined(LONGEST, room)));
            packing.pack(arena, bytes(joined(JoinedAddress.HEAD + JoinedAddress.PART + 1, 1)));
            packing.pack(arena, bytes(joined(LONGEST, 1, 1, 1, 1, 1, 1)));
            refused(packing, arena, bytes(joined(LONGEST, room + 1)), "part 0");
            refused(packing, arena, bytes(joined(LONGEST, 0)), "0 bytes");
            refused(packing, arena, bytes(joined(JoinedAddress.HEAD + JoinedAddress.PART, 0)), "not 1 to 0");
            MemorySegment cut = joined(JoinedAddress.HEAD + JoinedAddress.PART, 0);
            refused(packing, arena, bytes(cut.asSlice(0, cut.byteSize() - 1)), "part 0 of 1 is not");
            for (long length : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32 | 1}) {
                MemorySegment address = joined(LONGEST, 1);
                address.set(ValueLayout.JAVA_LONG_UNALIGNED, JoinedAddress.HEAD + JoinedAddress.NAME, length);
                refused(packing, arena, bytes(address), "not 1 to " + room);
            }
        });
    }

    @Test
    void eachPartHasAName() {
        withLnx((packing, arena) -> {
            MemorySegment address = joined(LONGEST, 1);
            MemorySegment name = address.asSlice(JoinedAddress.HEAD, JoinedAddress.NAME);
            name.asSlice(0, JoinedAddress.NAME - 1).fill((byte) 'x');
            packing.pack(arena, bytes(address));
            name.fill((byte) 'x');
            refused(packing, arena, bytes(address), "no name");
            name.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
            refused(packing, arena, bytes(address), "no name");
        });
    }

    @Test
    void severalLongAddressesAreCheckedEach() {
        withLnx((packing, arena) -> {
            MemorySegment two = MemorySegment.ofArray(new byte[2 * LONGEST]);
            MemorySegment.copy(joined(LONGEST, 18, 16), 0, two, 0, LONGEST);
            assertThatThrownBy(() -> packing.copyRaw(arena, two.asSlice(1), 2))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> packing.copyRaw(arena, two, 2)).isInstanceOf(IllegalArgumentException.class);
            MemorySegment.copy(joined(LONGEST, 18), 0, two, LONGEST, LONGEST);
            assertThat(packing.copyRaw(arena, two, 2).byteSize()).isGreaterThan(two.byteSize());
        });
    }

    @Test
    void aNameMayEndWithItsRoom() {
        byte[] name = "fi_sm2://1".getBytes(StandardCharsets.US_ASCII);
        with("sm2", code(AddressFormat.ADDR_STR), (packing, arena) ->
                assertThat(Memory.string(packing.pack(arena, name))).isEqualTo("fi_sm2://1"));
        with("shm", code(AddressFormat.ADDR_STR), (packing, arena) -> {
            refused(packing, arena, name, "NUL");
            refused(packing, arena, (new String(new char[256]).replace('\0', 'a') + '\0').getBytes(
                    StandardCharsets.US_ASCII), "257 bytes");
        });
        with("psm3", code(AddressFormat.ADDR_STR), (packing, arena) -> {
            long pointer = Memory.getLong(packing.pack(arena, new byte[] {'x', 0}));
            assertThat(Memory.string(pointer)).isEqualTo("x");
        });
    }

    @Test
    void manyInOneCallAreOfOneFamily() {
        with("tcp", code(AddressFormat.SOCKADDR), (packing, arena) -> {
            MemorySegment mixed = arena.allocate(64);
            mixed.copyFrom(MemorySegment.ofArray(IPV4.bytes()));
            mixed.asSlice(16).copyFrom(MemorySegment.ofArray(IPV6.bytes()));
            packing.copyRaw(arena, mixed, 1);
            assertThatThrownBy(() -> packing.copyRaw(arena, mixed, 2)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> packing.copyRaw(arena, mixed, 5)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> packing.copyRaw(arena, mixed, Long.MAX_VALUE))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("count");
        });
    }
}
