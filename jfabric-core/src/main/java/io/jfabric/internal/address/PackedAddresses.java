// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.AddressInsertion;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Lays addresses out as {@code fi_av_insert} reads them, and refuses what it would read beyond the end of. */
public final class PackedAddresses {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    private final int formatCode;
    private final AddressFormat format;
    private final boolean pointersToText;

    public PackedAddresses(FabricInfoImpl info) {
        formatCode = info.addressFormatCode();
        format = info.addressFormat();
        // The man page says FI_ADDR_STR takes an array of char*; of the providers, only psm does.
        pointersToText = format == AddressFormat.ADDR_STR && info.provider().startsWith("psm");
    }

    /** Calls the provider; {@code errors} is 0 or an array of ints for FI_SYNC_ERR. */
    @FunctionalInterface
    public interface Inserter {
        int insert(long packed, long count, long results, long errors);
    }

    public void checkFormat(Address address) {
        if (address.formatCode() != formatCode && !(address.isInet() && format == AddressFormat.SOCKADDR)) {
            throw new IllegalArgumentException("fi_av_insert: the address " + address + " has the format "
                    + address.format().nativeName() + ", this domain uses " + format.nativeName());
        }
    }

    /** Length of one address of this format; 0 where it varies. */
    private int fixedLength(byte[] address) {
        return switch (format) {
            case SOCKADDR_IN -> 16;
            case SOCKADDR_IN6 -> 28;
            case SOCKADDR_IB -> 48;
            case SOCKADDR -> switch (address.length < 2 ? 0 : address[0] | address[1]) {
                case AF_INET -> 16;
                case AF_INET6 -> 28;
                default -> 16;
            };
            case ADDR_PSMX -> 8;
            case ADDR_PSMX2 -> 16;
            case ADDR_IB_UD, ADDR_EFA, ADDR_PSMX3 -> 32;
            default -> 0;
        };
    }

    /** The address as the provider reads one address. */
    public long pack(Arena arena, byte[] address) {
        check(address);
        MemorySegment bytes = arena.allocate(address.length, 8);
        bytes.copyFrom(MemorySegment.ofArray(address));
        return pointersToText
                ? arena.allocateFrom(ValueLayout.JAVA_LONG, bytes.address()).address()
                : bytes.address();
    }

    private void check(byte[] address) {
        int expected = fixedLength(address);
        if (expected != 0 && address.length != expected) {
            throw new IllegalArgumentException("fi_av_insert: the address has " + address.length + " bytes, an address "
                    + "of format " + format.nativeName() + " has " + expected);
        }
        if (format == AddressFormat.ADDR_STR && (address.length == 0 || address[address.length - 1] != 0)) {
            throw new IllegalArgumentException("fi_av_insert: a text address must end in a NUL byte; "
                    + "pass on Address.bytes() as it is");
        }
        if (address.length == 0 || format == AddressFormat.ADDR_STR && address[0] == 0) {
            throw new IllegalArgumentException("fi_av_insert: the address is empty");
        }
    }

    /** Bytes that {@code count} addresses take at least. */
    public long sizeOf(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("fi_av_insert: count is " + count + ", it must not be negative");
        }
        return Math.multiplyExact(count, Math.max(1, fixedLength(new byte[0])));
    }

    public List<AddressInsertion> insertEach(List<byte[]> addresses, Inserter inserter) {
        addresses.forEach(this::check);
        List<AddressInsertion> results = new ArrayList<>(addresses.size());
        for (byte[] address : addresses) {
            results.add(insertOne(address, inserter));
        }
        return results;
    }

    // One at a time: of the providers that refuse one address, some drop the rest of the array too.
    private AddressInsertion insertOne(byte[] address, Inserter inserter) {
        try (Arena arena = Arena.ofConfined()) {
            long packed = pack(arena, address);
            MemorySegment result = arena.allocateFrom(ValueLayout.JAVA_LONG, Address.NOT_AVAILABLE);
            MemorySegment error = arena.allocate(ValueLayout.JAVA_INT);
            int inserted = inserter.insert(packed, 1, result.address(), error.address());
            if (inserted == -Errno.ENOSYS || inserted == -Errno.EINVAL || inserted == -Errno.EBADFLAGS) {
                inserted = inserter.insert(packed, 1, result.address(), 0);
            }
            if (inserted == 1) {
                return new AddressInsertion(result.get(ValueLayout.JAVA_LONG, 0), 0);
            }
            int errno = Math.abs(inserted < 0 ? inserted : error.get(ValueLayout.JAVA_INT, 0));
            return new AddressInsertion(Address.NOT_AVAILABLE, errno == 0 ? Errno.EINVAL : errno);
        }
    }
}
