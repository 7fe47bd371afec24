// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.internal.ffi.CText;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.AddressShape;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Ports;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.AvOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Numbered nodes and services, whose addresses the provider finds out: {@code fi_av_insertsvc} and its twin. */
record SymmetricNames(String node, long nodes, String service, long services, boolean oneByOne) {
    private static final long MOST = 1024;
    private static final int EAI_AGAIN = -3;
    private static final int EAI_NODATA = -5;
    private static final int EAI_SERVICE = -8;
    private static final Pattern NUMBER = Pattern.compile("[0-9]+$");
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IP4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    /** What libfabric reads as an address, if it is one; scopes (%) it does not read. */
    private static final Pattern IP6 = Pattern.compile("[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    SymmetricNames {
        String operation = operation(nodes, services);
        Objects.requireNonNull(node, operation + ": node is null");
        Objects.requireNonNull(service, operation + ": service is null");
        if (nodes < 1 || services < 1) {
            throw new IllegalArgumentException("fi_av_insertsym: nodeCount " + nodes + " and serviceCount " + services
                    + " must be at least 1");
        }
        if (node.isEmpty() || service.isEmpty()) {
            throw new IllegalArgumentException(operation + ": node \"" + node + "\" and service \"" + service
                    + "\" must not be empty");
        }
        if (nodes > MOST || services > MOST || nodes * services > MOST) {
            throw new IllegalArgumentException("fi_av_insertsym: " + nodes + " nodes with " + services
                    + " services are more than " + MOST + " addresses; each is resolved while the call lasts, insert "
                    + "them in parts");
        }
    }

    int count() {
        return (int) (nodes * services);
    }

    String operation() {
        return operation(nodes, services);
    }

    private static String operation(long nodes, long services) {
        return nodes == 1 && services == 1 ? "fi_av_insertsvc" : "fi_av_insertsym";
    }

    /** Those that may be inserted into a vector of a domain with this info. */
    static SymmetricNames of(FabricInfoImpl info, String node, long nodes, String service, long services) {
        Quirks quirks = info.quirks();
        boolean isIp6 = node != null && IP6.matcher(node).matches();
        boolean isRead = isIp6 || node != null && IP4.matcher(node).matches();
        boolean oneByOne = quirks.has(Quirk.SYMMETRIC_TELLS_LAST)
                || quirks.has(Quirk.SYMMETRIC_NAMES_STAY) && !isRead
                || quirks.has(Quirk.SYMMETRIC_ADDRESSES_SKIP) && isIp6 && nodes > 1;
        SymmetricNames names = new SymmetricNames(node, nodes, service, services, oneByOne);
        if (!AddressShape.isIp(info.addressFormatCode())) {
            return names;
        }
        checkFamily(names, info.addressFormatCode());
        Ports.check(names.operation(), service, services);
        if (NUMBER.matcher(service).matches()) {
            // with leading zeros it may be taken for octal
            return new SymmetricNames(node, nodes, Long.toString(Long.parseLong(service)), services, oneByOne);
        }
        if (isRead && quirks.has(Quirk.SERVICES_ARE_NUMBERS)) {
            throw new IllegalArgumentException(names.operation() + ": service \""
                    + CText.checked(names.operation(), service) + "\": provider "
                    + info.provider() + " looks up no services of IP addresses: give the port, or a host name");
        }
        return names;
    }

    /** libfabric cuts all addresses of a vector to the length of the one inserted last, and IPv4 ones are shorter. */
    private static void checkFamily(SymmetricNames names, int format) {
        if (format == AddressFormat.SOCKADDR_IN6.code() && IP4.matcher(names.node).matches()) {
            throw new IllegalArgumentException(names.operation() + ": node " + names.node + " is an IPv4 address, and "
                    + "the domain's are IPv6 (FI_SOCKADDR_IN6): give an IPv6 address or a host name, or open a domain "
                    + "whose source address is IPv4");
        }
    }

    /** How many were inserted, or an error. */
    int insert(Arena arena, long av, long results) {
        if (count() == 1) {
            return insertOne(arena, av, node, service, results);
        }
        if (oneByOne) {
            return insertEach(arena, av, results);
        }
        return found(AvOps.insertsym(av, name(arena, node), nodes, CText.of(arena, operation(), service).address(),
                services, results, 0, 0));
    }

    private int insertEach(Arena arena, long av, long results) {
        for (int i = 0; i < count(); i++) {
            int done = insertOne(arena, av, nodes == 1 ? node : numberedNode(node, i / services),
                    services == 1 ? service : numbered(service, i % services), results + i * Long.BYTES);
            if (done != 1) {
                return i == 0 ? done : i;
            }
        }
        return count();
    }

    private int insertOne(Arena arena, long av, String host, String port, long result) {
        int done = AvOps.insertsvc(av, name(arena, host), CText.of(arena, operation(), port).address(), result, 0, 0);
        // with some providers, an error of getaddrinfo without its sign
        return done > 1 ? -Errno.EINVAL : found(done);
    }

    /** Others pass getaddrinfo's errors on as they are: as an errno, EAI_SERVICE would be ENOEXEC. */
    private static int found(int done) {
        return done == EAI_AGAIN || done == EAI_NODATA || done == EAI_SERVICE ? -Errno.ENOENT : done;
    }

    private long name(Arena arena, String host) {
        // libfabric looks for digits from the name's end on, and if all are digits, before its beginning
        long room = ValueLayout.JAVA_LONG.byteSize();
        MemorySegment name = arena.allocate(room + host.getBytes(StandardCharsets.UTF_8).length + 1);
        name.setString(room, CText.checked(operation(), host));
        return name.address() + room;
    }

    /** IP addresses are counted as the numbers that they are. */
    private static String numberedNode(String node, long more) {
        boolean isIp6 = IP6.matcher(node).matches();
        if (!isIp6 && !IP4.matcher(node).matches()) {
            return numbered(node, more);
        }
        try {
            byte[] first = InetAddress.ofLiteral(node).getAddress();
            byte[] bytes = new byte[isIp6 ? 16 : 4];
            if (first.length < bytes.length) {
                // Java takes ::ffff:1.2.3.4 for an IPv4 address
                Arrays.fill(bytes, 10, 12, (byte) -1);
            }
            System.arraycopy(first, 0, bytes, bytes.length - first.length, first.length);
            long carry = more;
            for (int i = bytes.length - 1; i >= 0; i--) {
                carry += bytes[i] & 0xFF;
                bytes[i] = (byte) carry;
                carry >>= Byte.SIZE;
            }
            return (isIp6 ? Inet6Address.getByAddress(null, bytes, -1) : InetAddress.getByAddress(bytes))
                    .getHostAddress();
        } catch (IllegalArgumentException | UnknownHostException none) {
            // the provider says so, too
            return node;
        }
    }

    /** Counts up the number at the end, and keeps its length: node09 is followed by node10. */
    private static String numbered(String name, long more) {
        Matcher number = NUMBER.matcher(name);
        String digits = number.find() ? number.group() : "";
        String sum = new BigInteger("0" + digits).add(BigInteger.valueOf(more)).toString();
        return name.substring(0, name.length() - digits.length()) + "0".repeat(Math.max(0,
                digits.length() - sum.length())) + sum;
    }

    /** Throws unless that many are all, and have values: some providers say that all were inserted when none was. */
    void checkAll(int said, MemorySegment results) {
        int inserted = said < 0 ? said : (int) Math.min(said, LongStream.of(results.toArray(ValueLayout.JAVA_LONG))
                .filter(address -> address != Address.NOT_AVAILABLE).count());
        String names = "node " + node + ", service " + service;
        Results.check(operation(), inserted, inserted != -Errno.ENOENT ? names
                : names + "; the host is not known here, or not the service, which is looked for among those of UDP: "
                + "give the port");
        if (inserted < count()) {
            throw FabricException.of(operation(), Errno.EINVAL, "only " + inserted + " of " + count()
                    + " addresses of " + names + " could be inserted; providers refuse port 0, the unspecified address "
                    + "(0.0.0.0, ::) and addresses of another format than the domain's");
        }
    }
}
