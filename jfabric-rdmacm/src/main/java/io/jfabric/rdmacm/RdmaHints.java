// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.ibv_path_data;
import io.jfabric.bindings.rdmacm.ibv_path_record;
import io.jfabric.info.Address;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Flags;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of {@code rdma_getaddrinfo}: its hints. What is not set means "any".
 *
 * <p>Immutable and thread-safe.
 */
public final class RdmaHints {
    private static final RdmaHints ANY = new RdmaHints(new Fields());
    /** Addresses are read by their family, whatever length C is told. */
    private static final int SOCKADDR_IN_BYTES = 16;
    private static final int SOCKADDR_IN6_BYTES = 28;
    private static final int SOCKADDR_IB_BYTES = 48;
    private static final int LONGEST_CONNECT_DATA = 64 * 1024;

    private final Fields fields;

    private RdmaHints(Fields fields) {
        this.fields = fields;
    }

    private static final class Fields implements Cloneable {
        private Flags<RdmaFlag> flags = Flags.ofBits(RdmaFlag.class, 0);
        private int family;
        private int qpType;
        private int portSpace;
        private @Nullable Address source;
        private @Nullable Address destination;
        private byte[] route = {};
        private byte[] connectData = {};

        private Fields copy() {
            try {
                return (Fields) clone();
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    /**
     * Hints that ask for nothing in particular.
     *
     * @return hints with every field zero
     */
    public static RdmaHints any() {
        return ANY;
    }

    /**
     * Hints for reliable connections, what libfabric's endpoints of type {@code MSG} are.
     *
     * @return hints with {@link QpType#RC} and {@link PortSpace#TCP}
     */
    public static RdmaHints connected() {
        return ANY.withQpType(QpType.RC).withPortSpace(PortSpace.TCP);
    }

    /**
     * Hints for datagrams.
     *
     * @return hints with {@link QpType#UD} and {@link PortSpace#UDP}
     */
    public static RdmaHints datagrams() {
        return ANY.withQpType(QpType.UD).withPortSpace(PortSpace.UDP);
    }

    /**
     * Asks for these flags besides those that are there.
     *
     * @param first one flag
     * @param others more
     * @return new hints
     */
    public RdmaHints addFlags(RdmaFlag first, RdmaFlag... others) {
        long more = Flags.of(first, others).bits();
        return withFlags(Flags.ofBits(RdmaFlag.class, fields.flags.bits() | more));
    }

    /**
     * Replaces all flags.
     *
     * @param flags the flags; bits jfabric does not know are passed on
     * @return new hints
     */
    public RdmaHints withFlags(Flags<RdmaFlag> flags) {
        if ((Objects.requireNonNull(flags, "RdmaHints.withFlags: the flags are null").bits() >>> Integer.SIZE) != 0) {
            throw new IllegalArgumentException("RdmaHints.withFlags: ai_flags has 32 bits, not " + flags);
        }
        Fields copy = fields.copy();
        copy.flags = flags;
        return new RdmaHints(copy);
    }

    /**
     * Asks for a family of addresses; sets {@link RdmaFlag#FAMILY} too, without which C passes over {@code AF_IB}.
     *
     * @param family the family; {@link RdmaFamily#UNSPEC} for any
     * @return new hints
     */
    public RdmaHints withFamily(RdmaFamily family) {
        Fields copy = fields.copy();
        copy.family = code(family, RdmaFamily.UNRECOGNIZED, "family");
        copy.flags = family == RdmaFamily.UNSPEC ? copy.flags.without(RdmaFlag.FAMILY)
                : copy.flags.with(RdmaFlag.FAMILY);
        return new RdmaHints(copy);
    }

    /**
     * Asks for a type of queue pair.
     *
     * @param type the type
     * @return new hints
     */
    public RdmaHints withQpType(QpType type) {
        Fields copy = fields.copy();
        copy.qpType = code(type, QpType.UNRECOGNIZED, "QP type");
        return new RdmaHints(copy);
    }

    /**
     * Asks for a port space.
     *
     * @param space the port space
     * @return new hints
     */
    public RdmaHints withPortSpace(PortSpace space) {
        Fields copy = fields.copy();
        copy.portSpace = code(space, PortSpace.UNRECOGNIZED, "port space");
        return new RdmaHints(copy);
    }

    /**
     * Names the local address.
     *
     * @param source an address of IPv4, IPv6 or InfiniBand; its port is kept
     * @return new hints
     */
    public RdmaHints withSource(Address source) {
        Fields copy = fields.copy();
        copy.source = socketAddress(source, "source");
        return new RdmaHints(copy);
    }

    /**
     * Names the address of the peer, for a call without node and service: C then looks for a route only.
     *
     * @param destination an address of IPv4, IPv6 or InfiniBand
     * @return new hints
     */
    public RdmaHints withDestination(Address destination) {
        Fields copy = fields.copy();
        copy.destination = socketAddress(destination, "destination");
        return new RdmaHints(copy);
    }

    /**
     * Restricts the routes.
     *
     * @param route one or several {@code struct ibv_path_record} (64 bytes) or {@code struct ibv_path_data} (72 bytes);
     *     copied
     * @return new hints
     */
    public RdmaHints withRoute(byte[] route) {
        int length = Objects.requireNonNull(route, "RdmaHints.withRoute: the route is null").length;
        if (length == 0 || length > 64 * ibv_path_data.sizeof()
                || length % ibv_path_record.sizeof() != 0 && length % ibv_path_data.sizeof() != 0) {
            throw new IllegalArgumentException("RdmaHints.withRoute: " + length + " bytes are not an array of 1 to 64 "
                    + "struct ibv_path_record (" + ibv_path_record.sizeof() + " bytes) or struct ibv_path_data ("
                    + ibv_path_data.sizeof() + " bytes)");
        }
        Fields copy = fields.copy();
        copy.route = route.clone();
        return new RdmaHints(copy);
    }

    /**
     * Sets {@code ai_connect}. The documentation has no use for it in hints, and no library so far reads it.
     *
     * @param data at most 64 KiB; copied
     * @return new hints
     */
    public RdmaHints withConnectData(byte[] data) {
        if (Objects.requireNonNull(data, "RdmaHints.withConnectData: the data is null").length > LONGEST_CONNECT_DATA) {
            throw new IllegalArgumentException("RdmaHints.withConnectData: " + data.length + " bytes are more than "
                    + LONGEST_CONNECT_DATA + ", and more than any connection can carry");
        }
        Fields copy = fields.copy();
        copy.connectData = data.clone();
        return new RdmaHints(copy);
    }

    private static int code(FabricConstant value, Object unrecognized, String what) {
        if (Objects.requireNonNull(value, () -> "RdmaHints: the " + what + " is null") == unrecognized) {
            throw new IllegalArgumentException("RdmaHints: UNRECOGNIZED is no " + what + " to ask for");
        }
        return (int) value.code();
    }

    private static Address socketAddress(Address address, String what) {
        byte[] bytes = Objects.requireNonNull(address, () -> "RdmaHints: the " + what + " is null").bytes();
        RdmaFamily family = bytes.length < Short.BYTES ? RdmaFamily.UNSPEC
                : RdmaFamily.ofCode(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getShort());
        int expected = switch (family) {
            case INET -> SOCKADDR_IN_BYTES;
            case INET6 -> SOCKADDR_IN6_BYTES;
            case IB -> SOCKADDR_IB_BYTES;
            default -> -1;
        };
        if (bytes.length != expected) {
            throw new IllegalArgumentException("RdmaHints: the " + what + " " + address + " (" + bytes.length
                    + " bytes) is not a struct sockaddr_in (16 bytes), sockaddr_in6 (28) or sockaddr_ib (48)");
        }
        return address;
    }

    /**
     * The flags.
     *
     * @return {@code ai_flags}
     */
    public Flags<RdmaFlag> flags() {
        return fields.flags;
    }

    /**
     * The family of addresses.
     *
     * @return {@code ai_family}
     */
    public RdmaFamily family() {
        return RdmaFamily.ofCode(fields.family);
    }

    /**
     * The type of queue pair.
     *
     * @return {@code ai_qp_type}
     */
    public QpType qpType() {
        return QpType.ofCode(fields.qpType);
    }

    /**
     * The port space.
     *
     * @return {@code ai_port_space}
     */
    public PortSpace portSpace() {
        return PortSpace.ofCode(fields.portSpace);
    }

    /**
     * The local address.
     *
     * @return {@code ai_src_addr}, if it was set
     */
    public Optional<Address> source() {
        return Optional.ofNullable(fields.source);
    }

    /**
     * The address of the peer.
     *
     * @return {@code ai_dst_addr}, if it was set
     */
    public Optional<Address> destination() {
        return Optional.ofNullable(fields.destination);
    }

    /**
     * The route.
     *
     * @return a copy of {@code ai_route}; empty for none
     */
    public byte[] route() {
        return fields.route.clone();
    }

    /**
     * The connection data.
     *
     * @return a copy of {@code ai_connect}; empty for none
     */
    public byte[] connectData() {
        return fields.connectData.clone();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof RdmaHints h && key(fields).equals(key(h.fields))
                && Arrays.equals(fields.route, h.fields.route)
                && Arrays.equals(fields.connectData, h.fields.connectData);
    }

    @Override
    public int hashCode() {
        return key(fields).hashCode();
    }

    private static List<Object> key(Fields f) {
        return List.of(f.flags, f.family, f.qpType, f.portSpace, Optional.ofNullable(f.source),
                Optional.ofNullable(f.destination));
    }

    /** The fields that are set, by their names in C. */
    @Override
    public String toString() {
        return RdmaAddress.text("RdmaHints", fields.flags, fields.family, fields.qpType, fields.portSpace,
                fields.source, fields.destination, null, null, fields.route, fields.connectData);
    }
}
