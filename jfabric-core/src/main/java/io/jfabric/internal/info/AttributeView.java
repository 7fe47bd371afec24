// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.FabricException;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Flags;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.InfoMemory;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.NativeText;

/** Field access to one of the structs that hang off an {@code fi_info}. */
public abstract sealed class AttributeView
        permits TransmitAttributesImpl, ReceiveAttributesImpl, EndpointAttributesImpl, DomainAttributesImpl,
                DomainLimitsImpl, FabricAttributesImpl {
    private final InfoMemory memory;
    private final long pointerOffset;
    private final String struct;

    public AttributeView(InfoMemory memory, long pointerOffset, String struct) {
        this.memory = memory;
        this.pointerOffset = pointerOffset;
        this.struct = struct;
    }

    private long address() {
        long address = Memory.getLong(memory.address() + pointerOffset);
        if (address == 0) {
            throw new IllegalStateException("this fi_info has no " + struct);
        }
        return address;
    }

    public final long getLong(long offset) {
        return Memory.getLong(address() + offset);
    }

    public final int getInt(long offset) {
        return Memory.getInt(address() + offset);
    }

    public final void putLong(long offset, long value) {
        Memory.putLong(address() + offset, value);
    }

    public final void putInt(long offset, int value) {
        Memory.putInt(address() + offset, value);
    }

    public final String getString(long offset) {
        return Memory.string(getLong(offset));
    }

    // fi_freeinfo frees what hangs off an fi_info with free(3), so it must come from the C heap.
    public final void putString(long offset, String value) {
        LibC.free(getLong(offset));
        putLong(offset, LibC.strdup(value));
    }

    public final byte[] getBytes(long offset, long size) {
        long bytes = getLong(offset);
        return bytes == 0 || size < 0 ? new byte[0] : Memory.bytes(bytes, size);
    }

    public final void putBytes(long offset, byte[] value) {
        LibC.free(getLong(offset));
        putLong(offset, LibC.copy(value));
    }

    public static boolean since(String release) {
        return Known.since(parse(release));
    }

    public static void require(String release, String field) {
        if (!since(release)) {
            throw FabricException.of("set " + field, Errno.ENOSYS, "the loaded libfabric is "
                    + Known.library() + ", this needs " + release + " or newer");
        }
    }

    /** Refuses constants that the loaded release would take for something else. */
    public static <E extends Enum<E> & FabricConstant> Flags<E> checked(Flags<E> flags, String attribute) {
        return Known.require(flags, attribute);
    }

    private static Version parse(String release) {
        int dot = release.indexOf('.');
        return new Version(Integer.parseInt(release.substring(0, dot)), Integer.parseInt(release.substring(dot + 1)));
    }

    public final String text(int type) {
        return NativeText.of(address(), type);
    }
}
