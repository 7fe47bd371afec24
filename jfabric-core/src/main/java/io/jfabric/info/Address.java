// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network address as a provider writes it: a format and its bytes.
 *
 * <p>Immutable and thread-safe. {@link #bytes()} is what travels out of band to a peer, which inserts it into its
 * {@link io.jfabric.AddressVector#insert(byte[]) address vector}: all peers have the format of their domain
 * ({@link FabricInfo#addressFormatCode()}). Where an address is needed, as to connect, send {@link #toBytes()}, which
 * has the format, too, and make an address of it by {@link #of(byte[])}; or the text of {@link #toString()}, by
 * {@link #of(String)}.
 */
public final class Address {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCKADDR_IN_BYTES = 16;
    private static final int SOCKADDR_IN6_BYTES = 28;
    private static final int SCOPE = 24;
    /** "jfA" and the version of the format. */
    private static final int MAGIC = 0x6A664101;
    private static final int HEADER = 4 + 4;
    private static final String INET = "fi_sockaddr_in";
    private static final Pattern V4 = Pattern.compile(INET + "://(\\d{1,3}(?:\\.\\d{1,3}){3}):(\\d{1,5})");
    private static final Pattern V6 = Pattern.compile(INET + "6://\\[([\\p{XDigit}:.]+(?:%[\\w.-]+)?)]:(\\d{1,5})");
    private static final Pattern DIGITS = Pattern.compile("FI_(\\w+):((?:\\p{XDigit}{2})*)");
    /** {@code FI_ADDR_UNSPEC}: receive from any peer. */
    public static final long ANY = -1L;
    /** {@code FI_ADDR_NOTAVAIL}: no address, such as after a failed insertion. */
    public static final long NOT_AVAILABLE = -1L;

    private final int formatCode;
    private final byte[] bytes;

    private Address(int formatCode, byte[] bytes) {
        this.formatCode = formatCode;
        this.bytes = bytes;
    }

    /**
     * An address of a known format.
     *
     * @param format the format
     * @param bytes the address; copied
     * @return the address
     */
    public static Address of(AddressFormat format, byte[] bytes) {
        Objects.requireNonNull(format, "Address.of: the format is null");
        if (format == AddressFormat.UNRECOGNIZED) {
            throw new IllegalArgumentException("format: UNRECOGNIZED is not a format; use ofCode");
        }
        return ofCode((int) format.code(), bytes);
    }

    /**
     * An address of any format, including one that jfabric has no constant for.
     *
     * @param formatCode the value of {@code fi_info.addr_format}
     * @param bytes the address; copied
     * @return the address
     */
    public static Address ofCode(int formatCode, byte[] bytes) {
        return new Address(formatCode, Objects.requireNonNull(bytes, "Address.ofCode: the bytes are null").clone());
    }

    /**
     * An IPv4 or IPv6 address ({@code FI_SOCKADDR_IN}, {@code FI_SOCKADDR_IN6}). A link-local address takes its
     * interface along; other addresses are the same on all interfaces.
     *
     * @param address a resolved address
     * @return the address
     * @throws IllegalArgumentException if it is not resolved
     */
    public static Address of(InetSocketAddress address) {
        if (Objects.requireNonNull(address, "Address.of: the address is null").isUnresolved()) {
            throw new IllegalArgumentException("address: the host " + address.getHostString() + " is not resolved");
        }
        return ofInet(address.getAddress(), address.getAddress().getAddress(), address.getPort());
    }

    /** The host as bytes, too: the JDK has an IPv4 address for an IPv6 one that stands for it. */
    private static Address ofInet(InetAddress address, byte[] host, int port) {
        boolean v4 = host.length == 4;
        ByteBuffer out = ByteBuffer.allocate(v4 ? SOCKADDR_IN_BYTES : SOCKADDR_IN6_BYTES);
        out.order(ByteOrder.nativeOrder()).putShort((short) (v4 ? AF_INET : AF_INET6));
        out.order(ByteOrder.BIG_ENDIAN).putShort((short) port);
        if (!v4) {
            out.putInt(0);
        }
        out.put(host);
        if (address instanceof Inet6Address v6 && isOfInterface(v6)) {
            out.order(ByteOrder.nativeOrder()).putInt(v6.getScopeId());
        }
        return of(v4 ? AddressFormat.SOCKADDR_IN : AddressFormat.SOCKADDR_IN6, out.array());
    }

    /** The JDK gives every address of an interface its number; only with these the system looks at it. */
    private static boolean isOfInterface(Inet6Address address) {
        return address.isLinkLocalAddress() || address.isMCLinkLocal() || address.isMCNodeLocal();
    }

    /**
     * What {@link #toString()} prints: an IP address with its port, such as {@code fi_sockaddr_in://192.0.2.2:7000} or
     * {@code fi_sockaddr_in6://[2001:db8::2]:7000}; the name of a format and hex digits; any other text is a text
     * address ({@code FI_ADDR_STR}), such as {@code fi_shm://1234}, also {@code 192.0.2.2:7000} alone. A link-local
     * address needs the interface, which is not printed: {@code [fe80::1%eth0]}.
     *
     * @param text the address
     * @return the address; a text address NUL-terminated, as C wants it
     * @throws IllegalArgumentException if it begins as an IP address does, and is none; host names are not looked up
     */
    public static Address of(String text) {
        if (Objects.requireNonNull(text, "Address.of: the text is null").startsWith(INET)) {
            return ofInet(text);
        }
        Matcher digits = DIGITS.matcher(text);
        if (digits.matches()) {
            for (AddressFormat format : AddressFormat.values()) {
                if (text.startsWith(format.nativeName() + ':') && format != AddressFormat.UNRECOGNIZED) {
                    return of(format, HexFormat.of().parseHex(digits.group(2)));
                }
            }
        }
        return of(AddressFormat.ADDR_STR, (text + '\0').getBytes(StandardCharsets.UTF_8));
    }

    private static Address ofInet(String text) {
        Matcher v4 = V4.matcher(text);
        Matcher v6 = V6.matcher(text);
        try {
            if (v4.matches()) {
                return of(new InetSocketAddress(Inet4Address.ofLiteral(v4.group(1)), Integer.parseInt(v4.group(2))));
            }
            if (v6.matches()) {
                InetAddress address = Inet6Address.ofLiteral(v6.group(1));
                byte[] host = address.getAddress();
                if (host.length == 4) {
                    host = ByteBuffer.allocate(16).position(10).putShort((short) -1).put(host).array();
                }
                return ofInet(address, host, new InetSocketAddress(Integer.parseInt(v6.group(2))).getPort());
            }
        } catch (IllegalArgumentException e) {
            throw notInet(text, e);
        }
        throw notInet(text, null);
    }

    private static IllegalArgumentException notInet(String text, IllegalArgumentException cause) {
        return new IllegalArgumentException("text: " + text + " is not an IP address with its port, such as " + INET
                + "://192.0.2.2:7000 or " + INET + "6://[2001:db8::2]:7000; with a host name, use "
                + "Address.of(new InetSocketAddress(host, port))", cause);
    }

    /**
     * Reads an address that {@link #toBytes()} wrote, on this or another machine. Whether a provider can use it is
     * checked where it is used.
     *
     * @param bytes the bytes; not those of {@link #bytes()}, which do not tell the format
     * @return the address
     * @throws IllegalArgumentException if they are not those of an address
     */
    public static Address of(byte[] bytes) {
        Objects.requireNonNull(bytes, "Address.of: the bytes are null");
        if (bytes.length < HEADER || ByteBuffer.wrap(bytes).getInt() != MAGIC) {
            throw new IllegalArgumentException("these " + bytes.length + " bytes are not an Address with its format; "
                    + "take Address.toBytes() of the same version of jfabric");
        }
        return new Address(ByteBuffer.wrap(bytes).getInt(4), Arrays.copyOfRange(bytes, HEADER, bytes.length));
    }

    /**
     * The address with its format, for a peer that makes an address of it by {@link #of(byte[])}.
     *
     * @return a new array, 8 bytes and those of the address, which are in the byte order that the provider uses
     */
    public byte[] toBytes() {
        return ByteBuffer.allocate(HEADER + bytes.length).putInt(MAGIC).putInt(formatCode).put(bytes).array();
    }

    /**
     * The format.
     *
     * @return the constant, {@link AddressFormat#UNRECOGNIZED} for one jfabric does not know
     */
    public AddressFormat format() {
        return AddressFormat.ofCode(formatCode);
    }

    /**
     * The format as a number.
     *
     * @return the value of {@code fi_info.addr_format}
     */
    public int formatCode() {
        return formatCode;
    }

    /**
     * The address as the provider reads it.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * The length.
     *
     * @return in bytes
     */
    public int length() {
        return bytes.length;
    }

    /**
     * Tells whether {@link #toInetSocketAddress()} works.
     *
     * @return true for IPv4 and IPv6
     */
    public boolean isInet() {
        return switch (format()) {
            // verbs names the last in the info of a connection request, whatever the addresses are
            case SOCKADDR, SOCKADDR_IN, SOCKADDR_IN6, SOCKADDR_IB, SOCKADDR_IP -> hasInetFamily();
            default -> false;
        };
    }

    private boolean hasInetFamily() {
        return family() == AF_INET && bytes.length >= SOCKADDR_IN_BYTES
                || family() == AF_INET6 && bytes.length >= SOCKADDR_IN6_BYTES;
    }

    private int family() {
        return bytes.length < 2 ? 0 : ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getShort();
    }

    /**
     * The address as the JDK's type.
     *
     * @return a resolved address
     * @throws UnsupportedOperationException if it is neither IPv4 nor IPv6
     */
    public InetSocketAddress toInetSocketAddress() {
        if (!isInet()) {
            throw new UnsupportedOperationException("an address of format " + format().nativeName()
                    + " is not an IP address; see bytes() and toString()");
        }
        int port = Short.toUnsignedInt(ByteBuffer.wrap(bytes, 2, 2).getShort());
        byte[] host = family() == AF_INET
                ? Arrays.copyOfRange(bytes, 4, 8)
                : Arrays.copyOfRange(bytes, 8, 24);
        int scope = host.length == 4 ? 0 : ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(SCOPE);
        try {
            return new InetSocketAddress(scope == 0 ? InetAddress.getByAddress(host)
                    : Inet6Address.getByAddress(null, host, scope), port);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * A text address without its terminator.
     *
     * @return the text
     * @throws UnsupportedOperationException if the format is not {@code FI_ADDR_STR}
     */
    public String toText() {
        if (format() != AddressFormat.ADDR_STR) {
            throw new UnsupportedOperationException("an address of format " + format().nativeName()
                    + " is not text; see bytes() and toString()");
        }
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Address a && a.formatCode == formatCode && Arrays.equals(a.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(formatCode, Arrays.hashCode(bytes));
    }

    /**
     * Readable: {@code fi_sockaddr_in://127.0.0.1:5000}, the text of a text address, else format and hex digits.
     * {@link #of(String)} makes an address of it.
     */
    @Override
    public String toString() {
        if (isInet()) {
            InetSocketAddress inet = toInetSocketAddress();
            return family() == AF_INET
                    ? "fi_sockaddr_in://" + inet.getAddress().getHostAddress() + ":" + inet.getPort()
                    : "fi_sockaddr_in6://[" + v6Text() + "]:" + inet.getPort();
        }
        return format() == AddressFormat.ADDR_STR
                ? toText()
                : format().nativeName() + ":" + HexFormat.of().formatHex(bytes);
    }

    // The JDK writes out every zero; libfabric, as everybody else, leaves the longest run of them out.
    private String v6Text() {
        String[] groups = new String[8];
        int start = 0;
        int length = 1;
        int run = 0;
        for (int i = 0; i < groups.length; i++) {
            groups[i] = Integer.toHexString(Short.toUnsignedInt(ByteBuffer.wrap(bytes, 8 + 2 * i, 2).getShort()));
            run = groups[i].equals("0") ? run + 1 : 0;
            if (run > length) {
                length = run;
                start = i + 1 - run;
            }
        }
        return length == 1
                ? String.join(":", groups)
                : String.join(":", Arrays.copyOfRange(groups, 0, start)) + "::"
                        + String.join(":", Arrays.copyOfRange(groups, start + length, groups.length));
    }
}
