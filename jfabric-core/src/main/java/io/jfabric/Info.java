// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.ffi.InfoMemory;
import io.jfabric.ffi.LibC;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.NativeText;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.DomainAttributes;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.FabricAttributes;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.NicAttributes;
import io.jfabric.info.ReceiveAttributes;
import io.jfabric.info.TransmitAttributes;
import java.util.List;
import java.util.Optional;

/**
 * A {@code struct fi_info} (fi_getinfo(3)): what hints and results have in common.
 *
 * <p>A view of native memory; not thread-safe. Everything fails with {@link IllegalStateException} once the memory is
 * closed.
 *
 * @param <T> the concrete type, which setters return
 */
public abstract sealed class Info<T extends Info<T>> permits Hints, FabricInfo {
    final InfoMemory memory;
    private final TransmitAttributes tx;
    private final ReceiveAttributes rx;
    private final EndpointAttributes endpoint;
    private final DomainAttributes domain;
    private final FabricAttributes fabric;

    Info(InfoMemory memory) {
        this.memory = memory;
        this.tx = new TransmitAttributes(memory);
        this.rx = new ReceiveAttributes(memory);
        this.endpoint = new EndpointAttributes(memory);
        this.domain = new DomainAttributes(memory);
        this.fabric = new FabricAttributes(memory);
    }

    abstract T self();

    final long address() {
        return memory.address();
    }

    private long getLong(long offset) {
        return Memory.getLong(address() + offset);
    }

    /**
     * Capabilities ({@code fi_info.caps}).
     *
     * @return the flags, unknown bits included
     */
    public final Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(fi_info.caps$offset()));
    }

    /**
     * Sets the capabilities.
     *
     * @param caps the flags, unknown bits included
     * @return this
     * @throws FabricException {@code FI_ENOSYS} if the loaded libfabric is too old for one of the constants
     */
    public final T capabilities(Flags<Capability> caps) {
        Memory.putLong(address() + fi_info.caps$offset(), caps.requireKnown("caps").bits());
        return self();
    }

    /**
     * Sets the capabilities to exactly these.
     *
     * @param caps the constants
     * @return this
     * @throws FabricException {@code FI_ENOSYS} if the loaded libfabric is too old for one of the constants
     */
    public final T capabilities(Capability... caps) {
        return capabilities(Flags.of(Capability.class, List.of(caps)));
    }

    /**
     * Demands on the application ({@code fi_info.mode}); as a hint, those it can live with.
     *
     * @return the flags, unknown bits included
     */
    public final Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(fi_info.mode$offset()));
    }

    /**
     * Sets the mode bits.
     *
     * @param mode the flags, unknown bits included
     * @return this
     */
    public final T mode(Flags<Mode> mode) {
        Memory.putLong(address() + fi_info.mode$offset(), mode.bits());
        return self();
    }

    /**
     * Sets the mode bits to exactly these.
     *
     * @param mode the constants
     * @return this
     */
    public final T mode(Mode... mode) {
        return mode(Flags.of(Mode.class, List.of(mode)));
    }

    /**
     * Form of the addresses ({@code fi_info.addr_format}).
     *
     * @return the constant, {@link AddressFormat#UNRECOGNIZED} for one jfabric does not know
     */
    public final AddressFormat addressFormat() {
        return AddressFormat.ofCode(addressFormatCode());
    }

    /**
     * Form of the addresses, as a number.
     *
     * @return the value of {@code fi_info.addr_format}
     */
    public final int addressFormatCode() {
        return Memory.getInt(address() + fi_info.addr_format$offset());
    }

    /**
     * Sets the form of the addresses.
     *
     * @param format the constant
     * @return this
     */
    public final T addressFormat(AddressFormat format) {
        if (format == AddressFormat.UNRECOGNIZED) {
            throw new IllegalArgumentException("addressFormat: UNRECOGNIZED is no value; use addressFormatCode(int)");
        }
        return addressFormatCode((int) format.code());
    }

    /**
     * Sets the form of the addresses to a number, for values jfabric has no constant for.
     *
     * @param code the value of {@code fi_info.addr_format}
     * @return this
     */
    public final T addressFormatCode(int code) {
        Memory.putInt(address() + fi_info.addr_format$offset(), code);
        return self();
    }

    /**
     * The local address ({@code fi_info.src_addr}).
     *
     * @return a copy; empty for none
     */
    public final Optional<Address> sourceAddress() {
        return address(fi_info.src_addr$offset(), fi_info.src_addrlen$offset());
    }

    /**
     * The address of the peer ({@code fi_info.dest_addr}).
     *
     * @return a copy; empty for none
     */
    public final Optional<Address> destinationAddress() {
        return address(fi_info.dest_addr$offset(), fi_info.dest_addrlen$offset());
    }

    private Optional<Address> address(long pointer, long length) {
        long bytes = getLong(pointer);
        return bytes == 0
                ? Optional.empty()
                : Optional.of(Address.ofCode(addressFormatCode(), Memory.bytes(bytes, getLong(length))));
    }

    /**
     * Sets the local address; its format becomes that of this info.
     *
     * @param address the address; null for none
     * @return this
     */
    public final T sourceAddress(Address address) {
        return address(fi_info.src_addr$offset(), fi_info.src_addrlen$offset(), address);
    }

    /**
     * Sets the address of the peer; its format becomes that of this info.
     *
     * @param address the address; null for none
     * @return this
     */
    public final T destinationAddress(Address address) {
        return address(fi_info.dest_addr$offset(), fi_info.dest_addrlen$offset(), address);
    }

    private T address(long pointer, long length, Address value) {
        byte[] bytes = value == null ? new byte[0] : value.bytes();
        LibC.free(getLong(pointer));
        Memory.putLong(address() + pointer, LibC.copy(bytes));
        Memory.putLong(address() + length, bytes.length);
        return value == null ? self() : addressFormatCode(value.formatCode());
    }

    /**
     * Length of the local address ({@code fi_info.src_addrlen}).
     *
     * @return in bytes
     */
    public final long sourceAddressLength() {
        return getLong(fi_info.src_addrlen$offset());
    }

    /**
     * Length of the address of the peer ({@code fi_info.dest_addrlen}).
     *
     * @return in bytes
     */
    public final long destinationAddressLength() {
        return getLong(fi_info.dest_addrlen$offset());
    }

    /**
     * The object this info came from, such as a connection request ({@code fi_info.handle}).
     *
     * @return its address, 0 for none
     */
    public final long handle() {
        return getLong(fi_info.handle$offset());
    }

    /**
     * How the endpoint sends.
     *
     * @return a view
     */
    public final TransmitAttributes tx() {
        return tx;
    }

    /**
     * How the endpoint receives.
     *
     * @return a view
     */
    public final ReceiveAttributes rx() {
        return rx;
    }

    /**
     * What the endpoint is.
     *
     * @return a view
     */
    public final EndpointAttributes endpoint() {
        return endpoint;
    }

    /**
     * What the domain is and allows.
     *
     * @return a view
     */
    public final DomainAttributes domain() {
        return domain;
    }

    /**
     * Which fabric and provider.
     *
     * @return a view
     */
    public final FabricAttributes fabric() {
        return fabric;
    }

    /**
     * The hardware ({@code fi_info.nic}, fi_nic(3)).
     *
     * @return a copy; empty where the provider has no NIC to describe
     */
    public final Optional<NicAttributes> nic() {
        long nic = getLong(fi_info.nic$offset());
        return nic == 0 ? Optional.empty() : Optional.of(NicReader.read(nic));
    }

    /** Libfabric's own text ({@code fi_tostr} with {@code FI_TYPE_INFO}). */
    @Override
    public final String toString() {
        return NativeText.of(address(), Libfabric.FI_TYPE_INFO());
    }
}
