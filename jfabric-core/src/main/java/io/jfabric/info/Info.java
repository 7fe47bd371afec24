// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.FabricException;
import io.jfabric.internal.info.InfoImpl;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct fi_info} (fi_getinfo(3)): what hints and results have in common.
 *
 * <p>A view of native memory; not thread-safe. Everything fails with {@link IllegalStateException} once the memory is
 * closed.
 *
 * @param <T> the concrete type, which setters return
 */
public sealed interface Info<T extends Info<T>> permits Hints, FabricInfo, InfoImpl {
    /**
     * Capabilities ({@code fi_info.caps}).
     *
     * @return the flags, unknown bits included
     */
    Flags<Capability> capabilities();

    /**
     * Sets the capabilities.
     *
     * @param caps the flags, unknown bits included
     * @return this
     * @throws FabricException {@code FI_ENOSYS} if the loaded libfabric is too old for one of the constants
     */
    T capabilities(Flags<Capability> caps);

    /**
     * Sets the capabilities to exactly these.
     *
     * @param caps the constants
     * @return this
     * @throws FabricException {@code FI_ENOSYS} if the loaded libfabric is too old for one of the constants
     */
    T capabilities(Capability... caps);

    /**
     * Asks for these capabilities besides those that are there.
     *
     * @param caps the constants
     * @return this
     * @throws FabricException {@code FI_ENOSYS} if the loaded libfabric is too old for one of the constants
     */
    T addCapabilities(Capability... caps);

    /**
     * Demands on the application ({@code fi_info.mode}); as a hint, those it can live with.
     *
     * @return the flags, unknown bits included
     */
    Flags<Mode> mode();

    /**
     * Sets the mode bits.
     *
     * @param mode the flags, unknown bits included
     * @return this
     */
    T mode(Flags<Mode> mode);

    /**
     * Sets the mode bits to exactly these.
     *
     * @param mode the constants
     * @return this
     */
    T mode(Mode... mode);

    /**
     * Form of the addresses ({@code fi_info.addr_format}).
     *
     * @return the constant, {@link AddressFormat#UNRECOGNIZED} for one jfabric does not know
     */
    AddressFormat addressFormat();

    /**
     * Form of the addresses, as a number.
     *
     * @return the value of {@code fi_info.addr_format}
     */
    int addressFormatCode();

    /**
     * Sets the form of the addresses.
     *
     * @param format the constant
     * @return this
     */
    T addressFormat(AddressFormat format);

    /**
     * Sets the form of the addresses to a number, for values jfabric has no constant for.
     *
     * @param code the value of {@code fi_info.addr_format}
     * @return this
     */
    T addressFormatCode(int code);

    /**
     * The local address ({@code fi_info.src_addr}).
     *
     * @return a copy; empty for none
     */
    Optional<Address> sourceAddress();

    /**
     * The address of the peer ({@code fi_info.dest_addr}).
     *
     * @return a copy; empty for none
     */
    Optional<Address> destinationAddress();

    /**
     * Sets the local address; its format becomes that of this info.
     *
     * @param address the address; null for none
     * @return this
     */
    T sourceAddress(@Nullable Address address);

    /**
     * Sets the address of the peer; its format becomes that of this info.
     *
     * @param address the address; null for none
     * @return this
     */
    T destinationAddress(@Nullable Address address);

    /**
     * Length of the local address ({@code fi_info.src_addrlen}).
     *
     * @return in bytes
     */
    long sourceAddressLength();

    /**
     * Length of the address of the peer ({@code fi_info.dest_addrlen}).
     *
     * @return in bytes
     */
    long destinationAddressLength();

    /**
     * The object this info came from, such as a connection request ({@code fi_info.handle}).
     *
     * @return its address, 0 for none
     */
    long handle();

    /**
     * How the endpoint sends.
     *
     * @return a view
     */
    TransmitAttributes tx();

    /**
     * How the endpoint receives.
     *
     * @return a view
     */
    ReceiveAttributes rx();

    /**
     * What the endpoint is.
     *
     * @return a view
     */
    EndpointAttributes endpoint();

    /**
     * What the domain is and allows.
     *
     * @return a view
     */
    DomainAttributes domain();

    /**
     * Which fabric and provider.
     *
     * @return a view
     */
    FabricAttributes fabric();

    /**
     * The hardware ({@code fi_info.nic}, fi_nic(3)).
     *
     * @return a copy; empty where the provider has no NIC to describe
     */
    Optional<NicAttributes> nic();

    /**
     * Libfabric's own text ({@code fi_tostr} with {@code FI_TYPE_INFO}).
     *
     * @return several lines
     */
    @Override
    String toString();
}
