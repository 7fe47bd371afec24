// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.AddressInsertion;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.AddressShape;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Lays addresses out as {@code fi_av_insert} reads them, and refuses what it would read beyond the end of. */
final class PackedAddresses {
    private static final String INSERT = "fi_av_insert";
    /** More than a vector can have, and than a count of C's can say. */
    private static final long MOST = 1L << 24;
    /** What providers have room for, with the NUL. */
    private static final int LONGEST_TEXT = 256;

    private final int formatCode;
    private final boolean text;
    /** Whether addresses are longer than their format says, all of one length. */
    private final boolean blobs;
    private final boolean unterminated;
    private final boolean pointersToText;
    /** Null where a vector may have any number. */
    private final DistinctAddresses few;

    PackedAddresses(FabricInfoImpl info) {
        Quirks quirks = info.quirks();
        formatCode = info.addressFormatCode();
        text = info.addressFormat() == AddressFormat.ADDR_STR;
        blobs = quirks.has(Quirk.ADDRESS_BLOBS);
        unterminated = quirks.has(Quirk.UNTERMINATED_NAMES);
        // the man page says that FI_ADDR_STR takes an array of char*; most providers do not
        pointersToText = text && quirks.has(Quirk.POINTERS_TO_NAMES);
        few = quirks.has(Quirk.FEW_ADDRESSES) ? new DistinctAddresses() : null;
    }

    /** Calls the provider; {@code errors} is 0 or an array of ints for FI_SYNC_ERR. */
    @FunctionalInterface
    interface Inserter {
        int insert(long packed, long count, long results, long errors);
    }

    /** Whether the addresses are texts, each as long as it is. */
    boolean isText() {
        return text && !pointersToText;
    }

    void checkFormat(Address address) {
        Objects.requireNonNull(address, INSERT + ": the address is null");
        if (address.formatCode() != formatCode && !(address.isInet() && AddressShape.isAnyIp(formatCode))) {
            throw new IllegalArgumentException(INSERT + ": the address " + address + " has the format "
                    + AddressShape.name(address.formatCode()) + ", this domain uses " + AddressShape.name(formatCode)
                    + "; " + AddressShape.remedy(address, formatCode));
        }
    }

    /** The address as the provider reads one address that is to be inserted. */
    long packToInsert(Arena arena, byte[] address) {
        check(address);
        enter(List.of(address));
        return pack(arena, address);
    }

    /** The address as the provider reads one address. */
    long pack(Arena arena, byte[] address) {
        check(address);
        // with room behind it: some providers copy the most that an address of theirs, or a part of it, can have
        MemorySegment bytes = arena.allocate(Names.LONGEST + address.length, 8);
        MemorySegment.copy(address, 0, bytes, ValueLayout.JAVA_BYTE, 0, address.length);
        return pointersToText
                ? arena.allocateFrom(ValueLayout.JAVA_LONG, bytes.address()).address()
                : bytes.address();
    }

    private void enter(List<byte[]> addresses) {
        if (few != null) {
            few.enter(addresses);
        }
    }

    /** Runs the check of one of several, whose index is to be in the message. */
    static void each(long index, long count, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            String text = e.getMessage();
            throw new IllegalArgumentException(INSERT + ", index " + index + " of " + count
                    + (text.startsWith(INSERT) ? text.substring(INSERT.length()) : ": " + text), e);
        }
    }

    /** Throws unless the provider can read it as an address. */
    void check(byte[] address) {
        if (blobs) {
            if (address.length > Names.LONGEST) {
                throw new IllegalArgumentException(INSERT + ": the address has " + address.length
                        + " bytes; this provider's have up to " + Names.LONGEST);
            }
            JoinedAddress.check(INSERT, address);
            return;
        }
        boolean terminated = address.length > 0 && address[address.length - 1] == 0;
        AddressShape.check(INSERT, formatCode, text && unterminated && !terminated
                ? Arrays.copyOf(address, address.length + 1) : address);
        if (text && address.length > LONGEST_TEXT) {
            throw new IllegalArgumentException(INSERT + ": the address has " + address.length
                    + " bytes, providers have "
                    + "room for " + LONGEST_TEXT);
        }
    }

    /**
     * A copy of {@code count} addresses of a fixed length, all of one family; throws where they are not in the memory.
     * Others may change or free the user's while the provider reads.
     */
    MemorySegment copyRaw(Arena arena, MemorySegment addresses, long count) {
        checkCount(count);
        byte[] first = addresses.asSlice(0, Math.min(2, addresses.byteSize())).toArray(ValueLayout.JAVA_BYTE);
        int length = blobs ? (int) Names.LONGEST : AddressShape.length(formatCode, first);
        if (length == 0) {
            throw new UnsupportedOperationException(INSERT + ": nobody knows how long an address of format "
                    + AddressShape.name(formatCode) + " is; insert them one by one");
        }
        if (count * length > addresses.byteSize()) {
            throw new IndexOutOfBoundsException(INSERT + ": " + count + " addresses of " + length + " bytes are not in "
                    + "the memory of " + addresses.byteSize() + " bytes");
        }
        // with room behind it, as for one
        MemorySegment copy = arena.allocate(count * length + Names.LONGEST, 8);
        MemorySegment.copy(addresses, 0, copy, 0, count * length);
        List<byte[]> all = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            byte[] address = copy.asSlice(i * length, length).toArray(ValueLayout.JAVA_BYTE);
            each(i, count, () -> check(address));
            if (blobs) {
                continue;
            }
            if (few != null) {
                all.add(address);
            }
            if (MemorySegment.mismatch(copy, 0, 2, copy, i * length, i * length + 2) >= 0) {
                throw new IllegalArgumentException(INSERT + ": address " + i + " is of another family than the first; "
                        + "providers take all in one call for as long as the first");
            }
        }
        enter(all);
        return copy;
    }

    /** Throws unless it is native memory for a number of addresses that can be. */
    static void checkMemory(MemorySegment addresses, long count) {
        checkCount(count);
        Buffers.address(INSERT, addresses);
    }

    /** Where the provider writes the values; throws unless there is room for them. */
    static long results(MemorySegment results, long count) {
        long to = Buffers.writable(INSERT, results);
        Buffers.range(INSERT, results, 0, count * ValueLayout.JAVA_LONG.byteSize());
        return to;
    }

    /** Inserts one address: 1, 0 if it was refused, or an error. */
    @FunctionalInterface
    interface OneInserter {
        int insert(long address, long result);
    }

    /**
     * Inserts what {@link #copyRaw} gave: how many were inserted, or an error if none was. One at a time: if one of
     * several is refused, a provider may drop the rest, or crash when something is sent to the last.
     */
    static int insertEach(MemorySegment copy, long count, MemorySegment results, OneInserter inserter) {
        long length = (copy.byteSize() - Names.LONGEST) / count;
        int good = 0;
        int error = 0;
        for (long i = 0; i < count; i++) {
            int inserted = inserter.insert(copy.address() + i * length, results.address() + i * Long.BYTES);
            good += Math.max(0, inserted);
            error = Math.min(error, inserted);
        }
        return good > 0 ? good : error;
    }

    /** Throws unless it can be a number of addresses. */
    static void checkCount(long count) {
        if (count < 0 || count > MOST) {
            throw new IllegalArgumentException(INSERT + ": count: " + count + " is not between 0 and " + MOST);
        }
    }

    /** The texts that stand one after the other in the memory, each with its NUL. */
    static List<byte[]> texts(MemorySegment addresses, long count) {
        checkCount(count);
        List<byte[]> all = new ArrayList<>();
        long from = 0;
        for (long i = 0; i < count; i++) {
            long end = from;
            while (end < addresses.byteSize() && addresses.get(ValueLayout.JAVA_BYTE, end) != 0) {
                end++;
            }
            if (end == addresses.byteSize()) {
                throw new IllegalArgumentException(INSERT + ": the memory ends before address " + i + " of " + count
                        + " does; each ends in a NUL byte");
            }
            all.add(addresses.asSlice(from, end + 1 - from).toArray(ValueLayout.JAVA_BYTE));
            from = end + 1;
        }
        return all;
    }

    List<AddressInsertion> insertEach(List<byte[]> addresses, Inserter inserter) {
        enter(addresses);
        List<AddressInsertion> results = new ArrayList<>(addresses.size());
        for (byte[] address : addresses) {
            results.add(insertOne(address, inserter));
        }
        return results;
    }

    /** One at a time, as above. */
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
