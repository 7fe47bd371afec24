// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_info;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.Info;
import io.jfabric.info.Mode;
import io.jfabric.info.NicAttributes;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.InfoMemory;
import io.jfabric.internal.library.NativeText;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** {@link Info}. */
public abstract sealed class InfoImpl<T extends Info<T>> implements Info<T>
        permits HintsImpl, FabricInfoImpl {
    public final InfoMemory memory;
    /** In bytes, for addresses that are structs. */
    private static final int LONGEST = 48;

    private final TransmitAttributesImpl tx;
    private final ReceiveAttributesImpl rx;
    private final EndpointAttributesImpl endpoint;
    private final DomainAttributesImpl domain;
    private final FabricAttributesImpl fabric;

    public InfoImpl(InfoMemory memory) {
        this.memory = memory;
        this.tx = new TransmitAttributesImpl(memory);
        this.rx = new ReceiveAttributesImpl(memory);
        this.endpoint = new EndpointAttributesImpl(memory);
        this.domain = new DomainAttributesImpl(memory);
        this.fabric = new FabricAttributesImpl(memory);
    }

    public abstract T self();

    /** The address, for copies that belong to an open object. */
    public final long address() {
        return memory.address();
    }

    /** Looks at the {@code fi_info} while nobody frees it. */
    public final <R> R with(LongFunction<R> use) {
        return memory.with(use);
    }

    private long getLong(long offset) {
        return with(info -> Memory.getLong(info + offset));
    }

    private T putLong(long offset, long value) {
        return memory.change(info -> {
            Memory.putLong(info + offset, value);
            return self();
        });
    }

    @Override
    public final Flags<Capability> capabilities() {
        return Flags.ofBits(Capability.class, getLong(fi_info.caps$offset()));
    }

    @Override
    public final T capabilities(Flags<Capability> caps) {
        return putLong(fi_info.caps$offset(), Known.require(caps, "caps").bits());
    }

    @Override
    public final T capabilities(Capability... caps) {
        return capabilities(Flags.of(Capability.class, Arguments.all("capabilities", "a flag", caps)));
    }

    @Override
    public final T addCapabilities(Capability... caps) {
        return capabilities(Flags.ofBits(Capability.class, capabilities().bits()
                | Flags.of(Capability.class, Arguments.all("addCapabilities", "a flag", caps)).bits()));
    }

    @Override
    public final Flags<Mode> mode() {
        return Flags.ofBits(Mode.class, getLong(fi_info.mode$offset()));
    }

    @Override
    public final T mode(Flags<Mode> mode) {
        return putLong(fi_info.mode$offset(), Arguments.given(mode, "mode", "the set of flags").bits());
    }

    @Override
    public final T mode(Mode... mode) {
        return mode(Flags.of(Mode.class, Arguments.all("mode", "a flag", mode)));
    }

    @Override
    public final AddressFormat addressFormat() {
        return AddressFormat.ofCode(addressFormatCode());
    }

    @Override
    public final int addressFormatCode() {
        return with(info -> Memory.getInt(info + fi_info.addr_format$offset()));
    }

    @Override
    public final T addressFormat(AddressFormat format) {
        return addressFormatCode(Constants.codeOf(format, AddressFormat.UNRECOGNIZED, "addressFormat"));
    }

    @Override
    public final T addressFormatCode(int code) {
        return memory.change(info -> {
            Memory.putInt(info + fi_info.addr_format$offset(), code);
            return self();
        });
    }

    @Override
    public final Optional<Address> sourceAddress() {
        return address(fi_info.src_addr$offset(), fi_info.src_addrlen$offset());
    }

    @Override
    public final Optional<Address> destinationAddress() {
        return address(fi_info.dest_addr$offset(), fi_info.dest_addrlen$offset());
    }

    private Optional<Address> address(long pointer, long length) {
        return with(info -> {
            long bytes = getLong(pointer);
            return bytes == 0
                    ? Optional.empty()
                    : Optional.of(Address.ofCode(addressFormatCode(), Memory.bytes(bytes, getLong(length))));
        });
    }

    @Override
    public final T sourceAddress(Address address) {
        return address(fi_info.src_addr$offset(), fi_info.src_addrlen$offset(), address);
    }

    @Override
    public final T destinationAddress(Address address) {
        return address(fi_info.dest_addr$offset(), fi_info.dest_addrlen$offset(), address);
    }

    private T address(long pointer, long length, Address value) {
        byte[] bytes = value == null ? new byte[0] : value.bytes();
        return memory.change(info -> {
            // first, as it may throw
            long copy = LibC.copy(bytes);
            LibC.free(getLong(pointer));
            Memory.putLong(info + pointer, copy);
            Memory.putLong(info + length, bytes.length);
            return value == null ? self() : addressFormatCode(value.formatCode());
        });
    }

    @Override
    public final long sourceAddressLength() {
        return getLong(fi_info.src_addrlen$offset());
    }

    @Override
    public final long destinationAddressLength() {
        return getLong(fi_info.dest_addrlen$offset());
    }

    @Override
    public final long handle() {
        return getLong(fi_info.handle$offset());
    }

    @Override
    public final TransmitAttributesImpl tx() {
        return tx;
    }

    @Override
    public final ReceiveAttributesImpl rx() {
        return rx;
    }

    @Override
    public final EndpointAttributesImpl endpoint() {
        return endpoint;
    }

    @Override
    public final DomainAttributesImpl domain() {
        return domain;
    }

    @Override
    public final FabricAttributesImpl fabric() {
        return fabric;
    }

    @Override
    public final Optional<NicAttributes> nic() {
        return with(info -> {
            long nic = getLong(fi_info.nic$offset());
            return nic == 0 ? Optional.empty() : Optional.of(NicReader.read(nic));
        });
    }

    /** Libfabric's own text ({@code fi_tostr} with {@code FI_TYPE_INFO}). */
    @Override
    public final String toString() {
        return with(info -> {
            try (Arena arena = Arena.ofConfined()) {
                long source = info + fi_info.src_addr$offset();
                long destination = info + fi_info.dest_addr$offset();
                // libfabric follows the handle, and what it stood for may be gone
                return instead(info + fi_info.handle$offset(), 0, () ->
                        instead(source, shown(source, sourceAddress(), arena), () ->
                        instead(destination, shown(destination, destinationAddress(), arena), () ->
                        NativeText.of(info, Libfabric.FI_TYPE_INFO()))));
            }
        });
    }

    /** The text, made while another pointer stands at an address. */
    private static String instead(long pointer, long other, Supplier<String> text) {
        long value = Memory.getLong(pointer);
        Memory.putLong(pointer, other);
        try {
            return text.get();
        } finally {
            Memory.putLong(pointer, value);
        }
    }

    /** What libfabric may read as an address: nothing if it would read on behind it; of a text a copy with its end. */
    private static long shown(long pointer, Optional<Address> address, Arena arena) {
        if (address.filter(a -> a.format() == AddressFormat.ADDR_STR && a.bytes().length > 0).isPresent()) {
            return arena.allocateFrom(address.get().toText()).address();
        }
        return isShort(address) ? 0 : Memory.getLong(pointer);
    }

    /** Whether the address is not as long as its format says: libfabric would read on behind it. */
    private static boolean isShort(Optional<Address> address) {
        if (address.isEmpty()) {
            return false;
        }
        int code = address.get().formatCode();
        byte[] bytes = address.get().bytes();
        try {
            AddressShape.check("fi_tostr", code, bytes);
            // addresses of this last format may be shorter
            boolean exact = AddressShape.length(code, bytes) != 0 && code != AddressFormat.SOCKADDR_IB.code();
            return !exact && bytes.length < LONGEST;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }
}
