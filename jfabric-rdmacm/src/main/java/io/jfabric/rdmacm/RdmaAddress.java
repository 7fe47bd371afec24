// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.info.Address;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One way to reach a peer, or to be reached: an entry of the list that {@code rdma_getaddrinfo} answers with.
 *
 * <p>A copy: it stays valid when its {@link RdmaAddressInfo} is closed. Immutable and thread-safe.
 */
public final class RdmaAddress {
    private final RawAddress raw;

    RdmaAddress(RawAddress raw) {
        this.raw = raw;
    }

    /** The fields of {@code struct rdma_addrinfo}, as they came. */
    record RawAddress(int flags, int family, int qpType, int portSpace, @Nullable Address source,
            @Nullable Address destination, @Nullable String sourceName, @Nullable String destinationName,
            byte[] route, byte[] connectData) {
    }

    /**
     * The flags.
     *
     * @return {@code ai_flags}; of those that were asked for, C keeps {@link RdmaFlag#PASSIVE} alone
     */
    public Flags<RdmaFlag> flags() {
        return Flags.ofBits(RdmaFlag.class, Integer.toUnsignedLong(raw.flags));
    }

    /**
     * The family of the addresses.
     *
     * @return the constant, {@link RdmaFamily#UNRECOGNIZED} for one jfabric does not know
     */
    public RdmaFamily family() {
        return RdmaFamily.ofCode(raw.family);
    }

    /**
     * The family as a number.
     *
     * @return {@code ai_family}
     */
    public int familyCode() {
        return raw.family;
    }

    /**
     * The type of queue pair that this address is for.
     *
     * @return the constant, {@link QpType#UNRECOGNIZED} for one jfabric does not know
     */
    public QpType qpType() {
        return QpType.ofCode(raw.qpType);
    }

    /**
     * The type of queue pair as a number.
     *
     * @return {@code ai_qp_type}
     */
    public int qpTypeCode() {
        return raw.qpType;
    }

    /**
     * The port space.
     *
     * @return the constant, {@link PortSpace#UNRECOGNIZED} for one jfabric does not know
     */
    public PortSpace portSpace() {
        return PortSpace.ofCode(raw.portSpace);
    }

    /**
     * The port space as a number.
     *
     * @return {@code ai_port_space}
     */
    public int portSpaceCode() {
        return raw.portSpace;
    }

    /**
     * The local address.
     *
     * @return {@code ai_src_addr}; empty if none was asked for or found
     */
    public Optional<Address> source() {
        return Optional.ofNullable(raw.source);
    }

    /**
     * The address of the peer.
     *
     * @return {@code ai_dst_addr}; empty with {@link RdmaFlag#PASSIVE}
     */
    public Optional<Address> destination() {
        return Optional.ofNullable(raw.destination);
    }

    /**
     * The canonical name of this side.
     *
     * @return {@code ai_src_canonname}; librdmacm has so far never set it
     */
    public Optional<String> sourceName() {
        return Optional.ofNullable(raw.sourceName);
    }

    /**
     * The canonical name of the peer.
     *
     * @return {@code ai_dst_canonname}; librdmacm has so far never set it
     */
    public Optional<String> destinationName() {
        return Optional.ofNullable(raw.destinationName);
    }

    /**
     * The route.
     *
     * @return a copy of {@code ai_route}, on InfiniBand an array of {@code struct ibv_path_data}; empty for none
     */
    public byte[] route() {
        return raw.route.clone();
    }

    /**
     * What must go first in the private data of a connection request.
     *
     * @return a copy of {@code ai_connect}; empty for none
     */
    public byte[] connectData() {
        return raw.connectData.clone();
    }

    /**
     * Puts the addresses into hints for {@code Fabric.getInfo}, with their format.
     *
     * @param hints the hints; what this entry has no address for is left alone
     * @return the hints
     */
    public Hints addTo(Hints hints) {
        Objects.requireNonNull(hints, "RdmaAddress.addTo: the hints are null");
        source().ifPresent(hints::sourceAddress);
        destination().ifPresent(hints::destinationAddress);
        return hints;
    }

    /** The fields that are set, by their names in C. */
    @Override
    public String toString() {
        return text("RdmaAddress", flags(), raw.family, raw.qpType, raw.portSpace, raw.source, raw.destination,
                raw.sourceName, raw.destinationName, raw.route, raw.connectData);
    }

    static String text(String type, Flags<RdmaFlag> flags, int family, int qpType, int portSpace,
            @Nullable Address source, @Nullable Address destination, @Nullable String sourceName,
            @Nullable String destinationName, byte[] route, byte[] connectData) {
        StringBuilder text = new StringBuilder(type).append('[');
        add(text, "ai_flags", flags.isEmpty() ? null : flags);
        add(text, "ai_family", name(RdmaFamily.ofCode(family), family));
        add(text, "ai_qp_type", name(QpType.ofCode(qpType), qpType));
        add(text, "ai_port_space", name(PortSpace.ofCode(portSpace), portSpace));
        add(text, "ai_src_addr", source);
        add(text, "ai_dst_addr", destination);
        add(text, "ai_src_canonname", sourceName);
        add(text, "ai_dst_canonname", destinationName);
        add(text, "ai_route", hex(route));
        add(text, "ai_connect", hex(connectData));
        return text.append(']').toString();
    }

    private static @Nullable String name(FabricConstant constant, int code) {
        return code == 0 ? null : constant.code() == code ? constant.nativeName() : Integer.toString(code);
    }

    private static @Nullable String hex(byte[] bytes) {
        return bytes.length == 0 ? null : HexFormat.of().formatHex(bytes);
    }

    private static void add(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ").append(name).append('=').append(value);
        }
    }
}
