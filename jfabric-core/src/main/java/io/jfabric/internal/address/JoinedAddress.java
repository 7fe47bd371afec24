// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.internal.quirk.ProviderLinks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of several providers in one ({@code struct lnx_address}): the name of the host, the number of parts,
 * and for each part the name of its fabric, its length and its bytes. The provider goes from one to the next wherever
 * the lengths lead it.
 */
final class JoinedAddress {
    static final int NAME = 64;
    /** The count is four bytes behind the host's name; then there is a gap. */
    static final int HEAD = NAME + 8;
    /** Of one address: the name and the length. */
    static final int PART = NAME + 8;
    /** {@code LNX_MAX_LOCAL_EPS} */
    static final int MOST = 16;

    private JoinedAddress() {
    }

    /** Throws unless all the parts are there that it says it has; bytes behind them do not matter. */
    static void check(String operation, byte[] address) {
        MemorySegment bytes = MemorySegment.ofArray(address);
        if (address.length < HEAD) {
            throw wrong(operation, address.length + " bytes are less than " + HEAD);
        }
        int count = bytes.get(ValueLayout.JAVA_INT_UNALIGNED, NAME);
        if (count < 1 || count > MOST) {
            throw wrong(operation, "it has " + count + " parts, not 1 to " + MOST);
        }
        int at = HEAD;
        for (int part = 0; part < count; part++) {
            if (address.length - at < PART) {
                throw wrong(operation, "part " + part + " of " + count + " is not in its " + address.length + " bytes");
            }
            checkName(operation, text(address, at), part);
            long length = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at + NAME);
            at += PART;
            if (length < 1 || length > address.length - at) {
                throw wrong(operation, "part " + part + " of " + count + " has " + Long.toUnsignedString(length)
                        + " bytes, not 1 to " + (address.length - at));
            }
            at += (int) length;
        }
    }

    /** Throws if the provider would take the address, but have none of its own providers to send by. */
    static void checkReachable(String operation, byte[] own, byte[] address) {
        ProviderLinks.checkReachable(operation, parts(own), parts(address), text(own, 0).equals(text(address, 0)));
    }

    /** The fabrics of an address that {@link #check} has seen. */
    private static List<String> parts(byte[] address) {
        MemorySegment bytes = MemorySegment.ofArray(address);
        List<String> names = new ArrayList<>();
        int at = HEAD;
        for (int left = bytes.get(ValueLayout.JAVA_INT_UNALIGNED, NAME); left > 0; left--) {
            names.add(text(address, at));
            at += PART + (int) bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at + NAME);
        }
        return names;
    }

    /** A name as far as its NUL, which may be missing. */
    private static String text(byte[] address, int at) {
        int end = at;
        while (end < at + NAME && address[end] != 0) {
            end++;
        }
        return new String(address, at, end - at, StandardCharsets.ISO_8859_1);
    }

    private static void checkName(String operation, String name, int part) {
        if (name.isEmpty() || name.length() == NAME) {
            throw wrong(operation, "part " + part + " has no name of 1 to " + (NAME - 1) + " bytes");
        }
    }

    private static IllegalArgumentException wrong(String operation, String why) {
        return new IllegalArgumentException(operation + ": the address is none of this provider's: " + why
                + "; does it come from a peer that uses another provider, or another libfabric?");
    }
}
