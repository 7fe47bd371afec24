// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.AddressShape;
import io.jfabric.internal.info.InfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.AvOps;
import io.jfabric.internal.ops.CmOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** The addresses of endpoints: calls that fill a buffer and say how much they wrote, or how much they would have. */
public final class Names {
    public static final long LONGEST = 512;

    private Names() {
    }

    /** Takes the address of a buffer and of a {@code size_t} with its length. */
    @FunctionalInterface
    public interface Reader {
        int read(long buffer, long length);
    }

    public static byte[] read(String operation, Reader reader) {
        return read(operation, null, reader);
    }

    /** The detail goes into the exception. */
    public static byte[] read(String operation, String detail, Reader reader) {
        long size = LONGEST;
        for (int attempt = 0; ; attempt++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(size, 8);
                MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_LONG, size);
                int result = reader.read(buffer.address(), length.address());
                long written = length.get(ValueLayout.JAVA_LONG, 0);
                if (result == 0 && written <= size) {
                    return buffer.asSlice(0, written).toArray(ValueLayout.JAVA_BYTE);
                }
                if (attempt > 0 || result != 0 && result != -Errno.ETOOSMALL) {
                    throw FabricException.of(operation, result, detail);
                }
                size = Math.max(written, 2 * size);
            }
        }
    }

    /** {@code fi_getname} */
    public static Address own(long fid, InfoImpl<?> info) {
        return address(info, read("fi_getname", (buffer, length) -> CmOps.getname(fid, buffer, length)));
    }

    /** {@code fi_getpeer} */
    public static Address peer(long fid, InfoImpl<?> info) {
        return address(info, read("fi_getpeer", (buffer, length) -> CmOps.getpeer(fid, buffer, length)));
    }

    /** {@code fi_av_straddr} of an address as it is laid out for the provider. */
    static String text(FidObject vector, ToLongFunction<Arena> address) {
        try (Arena arena = Arena.ofConfined()) {
            // a byte more than the provider knows of, for those that leave the NUL out
            MemorySegment text = arena.allocate(LONGEST + 1);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_LONG, LONGEST);
            long bytes = address.applyAsLong(arena);
            String result = vector.call(av -> AvOps.straddr(av, bytes, text.address(), length.address()));
            if (result == null) {
                throw FabricException.of("fi_av_straddr", Errno.ENOSYS, null);
            }
            return result;
        }
    }

    /** {@code fi_setname} */
    public static void set(long fid, InfoImpl<?> info, Address address) {
        try (Arena arena = Arena.ofConfined()) {
            long copy = copy("fi_setname", info, address, arena);
            Results.check("fi_setname", CmOps.setname(fid, copy, address.length()), "address " + address);
        }
    }

    /**
     * The address for C. Providers take its length from the address family or look for a NUL, whatever length they
     * are given: the copy is large enough for any, and what cannot be an address does not get there.
     */
    public static long copy(String operation, InfoImpl<?> info, Address address, Arena arena) {
        Objects.requireNonNull(address, operation + ": the address is null");
        int format = info.addressFormatCode();
        boolean ip = AddressShape.isIp(format);
        if (ip && !address.isInet()) {
            throw new IllegalArgumentException(operation + ": " + address + " is not an IP address, but the provider "
                    + info.fabric().providerName().orElse("") + " uses " + AddressShape.name(format)
                    + "; take Address.of(new InetSocketAddress(host, port)), or an address of the same provider");
        }
        if (address.length() == 0 || address.length() > LONGEST) {
            throw new IllegalArgumentException(operation + ": the address has " + address.length()
                    + " bytes; no provider has one of less than 1 or more than " + LONGEST);
        }
        if (ip) {
            // each with its own family: an IPv4 address is good for a socket that can do both
            AddressShape.check(operation, (int) AddressFormat.SOCKADDR.code(), address.bytes());
        } else if (info.addressFormat() == AddressFormat.ADDR_STR) {
            AddressShape.check(operation, format, address.bytes());
        }
        MemorySegment copy = arena.allocate(Math.max(LONGEST, address.length() + 1), 8);
        MemorySegment.copy(MemorySegment.ofArray(address.bytes()), 0, copy, 0, address.length());
        return copy.address();
    }

    // FI_SOCKADDR stands for either; the family in the bytes says which
    private static Address address(InfoImpl<?> info, byte[] bytes) {
        int code = info.addressFormatCode();
        boolean text = code == AddressFormat.UNSPEC.code() && bytes.length > 0 && bytes[bytes.length - 1] == 0
                && bytes[0] == 'f';
        return Address.ofCode(text ? (int) AddressFormat.ADDR_STR.code() : code, bytes);
    }
}
