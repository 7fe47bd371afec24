// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Whether bytes can be an address of a format. Providers take the length from the format or from the address family in
 * the bytes, whatever length they are told, and read beyond the end of what is shorter.
 */
public final class AddressShape {
    /** An IP address and a port, as others than libfabric write them. */
    private static final Pattern IP_AND_PORT = Pattern.compile(
            "(\\d{1,3}(\\.\\d{1,3}){3}|\\[[\\p{XDigit}:.]+(%[\\w.-]+)?]):\\d{1,5}");
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_IB = 27;
    private static final int DELETE = 127;
    private static final int IN_BYTES = 16;
    private static final int IN6_BYTES = 28;
    private static final int IB_BYTES = 48;

    private AddressShape() {
    }

    /** Whether addresses of a format are IPv4 or IPv6 ones, as their bytes say. */
    public static boolean isAnyIp(int formatCode) {
        return formatCode == AddressFormat.SOCKADDR.code() || formatCode == AddressFormat.SOCKADDR_IP.code();
    }

    /** Whether addresses of a format are all IPv4, or all IPv6 ones. */
    public static boolean isOneIp(int formatCode) {
        return formatCode == AddressFormat.SOCKADDR_IN.code() || formatCode == AddressFormat.SOCKADDR_IN6.code();
    }

    /** Whether addresses of a format are IPv4 or IPv6 ones in any case. */
    public static boolean isIp(int formatCode) {
        return isAnyIp(formatCode) || isOneIp(formatCode);
    }

    /** What to say of an address whose format is not that one. */
    public static String remedy(Address address, int formatCode) {
        String text = address.format() == AddressFormat.ADDR_STR && isIp(formatCode) ? address.toText() : "";
        if (text.isEmpty() || text.contains("://")) {
            return "does it come from a peer that uses another provider?";
        }
        return "take Address.of(new InetSocketAddress(host, port))" + (!IP_AND_PORT.matcher(text).matches() ? ""
                : ", or Address.of(\"fi_sockaddr_in" + (text.startsWith("[") ? "6" : "") + "://" + text + "\")");
    }

    /** How long an address of this format and family is; 0 where it varies or nobody knows. */
    public static int length(int formatCode, byte[] address) {
        // a provider may call the addresses of a connection request by this last format, whatever they are
        if (isAnyIp(formatCode) || formatCode == AddressFormat.SOCKADDR_IB.code() && family(address) != AF_IB) {
            return lengthOfFamily(address);
        }
        return switch (AddressFormat.ofCode(formatCode)) {
            case SOCKADDR_IN -> IN_BYTES;
            case SOCKADDR_IN6 -> IN6_BYTES;
            case SOCKADDR_IB -> IB_BYTES;
            case ADDR_PSMX -> 8;
            case ADDR_PSMX2 -> 16;
            case ADDR_IB_UD, ADDR_EFA, ADDR_PSMX3 -> 32;
            default -> 0;
        };
    }

    private static int lengthOfFamily(byte[] address) {
        return switch (family(address)) {
            case AF_INET6 -> IN6_BYTES;
            case AF_IB -> IB_BYTES;
            default -> IN_BYTES;
        };
    }

    /** The first two bytes; -1 for less. */
    public static int family(byte[] address) {
        return address.length < Short.BYTES ? -1
                : MemorySegment.ofArray(address).get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) & 0xFFFF;
    }

    /** Throws unless length and family are right. */
    public static void check(String operation, int formatCode, byte[] address) {
        AddressFormat format = AddressFormat.ofCode(formatCode);
        if (address.length == 0) {
            throw new IllegalArgumentException(operation + ": the address is empty");
        }
        if (format == AddressFormat.ADDR_STR) {
            checkText(operation, address);
            return;
        }
        int expected = length(formatCode, address);
        if (expected != 0 && address.length != expected) {
            throw new IllegalArgumentException(operation + ": the address has " + address.length + " bytes, an address "
                    + "of format " + name(formatCode) + " has " + expected
                    + "; does it come from a peer that uses another provider?");
        }
        checkFamily(operation, formatCode, address);
    }

    /**
     * As {@link #check}, for an address in hints: libfabric takes one of no stated format for a
     * {@code struct sockaddr}, and reads as much of it as its family says.
     */
    static void checkAsked(String operation, int formatCode, byte[] address) {
        if (formatCode != AddressFormat.UNSPEC.code()) {
            check(operation, formatCode, address);
            return;
        }
        int family = family(address);
        int least = isKnown(family) ? lengthOfFamily(address) : Short.BYTES;
        if (address.length < least) {
            throw new IllegalArgumentException(operation + ": the address has " + address.length + " bytes; as its "
                    + "format is not stated, it is taken for a struct sockaddr, of which that family has " + least
                    + " or more");
        }
    }

    private static boolean isKnown(int family) {
        return family == AF_INET || family == AF_INET6 || family == AF_IB;
    }

    /** A text address up to its first NUL: what follows makes no difference. */
    public static Address upToNul(Address address) {
        byte[] bytes = address.bytes();
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return address.format() != AddressFormat.ADDR_STR || end + 1 >= bytes.length ? address
                : Address.of(AddressFormat.ADDR_STR, Arrays.copyOf(bytes, end + 1));
    }

    private static void checkText(String operation, byte[] address) {
        if (address[0] == 0) {
            throw new IllegalArgumentException(operation + ": the address is empty");
        }
        for (byte b : address) {
            if (b != 0 && (b < ' ' || b == DELETE)) {
                throw new IllegalArgumentException(operation + ": the address is not text, but this provider's "
                        + "addresses are; does it come from a peer that uses another provider?");
            }
        }
        if (address[address.length - 1] != 0) {
            throw new IllegalArgumentException(operation + ": a text address must end in a NUL byte; "
                    + "pass on Address.bytes() as it is");
        }
    }

    private static void checkFamily(String operation, int formatCode, byte[] address) {
        int family = family(address);
        boolean right = switch (AddressFormat.ofCode(formatCode)) {
            case SOCKADDR_IN -> family == AF_INET;
            case SOCKADDR_IN6 -> family == AF_INET6;
            case SOCKADDR_IB, SOCKADDR -> isKnown(family);
            case SOCKADDR_IP -> family == AF_INET || family == AF_INET6;
            default -> true;
        };
        if (!right) {
            throw new IllegalArgumentException(operation + ": the address begins with the address family " + family
                    + ", which the format " + name(formatCode) + " does not have; take the bytes as the peer's "
                    + "Endpoint.address() gives them, or Address.of(new InetSocketAddress(host, port))");
        }
    }

    /** What C calls a format. */
    public static String name(int formatCode) {
        return AddressFormat.ofCode(formatCode).nativeName();
    }
}
