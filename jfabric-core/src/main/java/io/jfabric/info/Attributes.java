// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.FabricException;
import io.jfabric.Version;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.InfoMemory;
import io.jfabric.ffi.LibC;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.NativeLibrary;
import io.jfabric.ffi.NativeText;

/** Field access to one of the structs that hang off an {@code fi_info}. */
abstract sealed class Attributes
        permits TransmitAttributes, ReceiveAttributes, EndpointAttributes, DomainAttributes, DomainLimits,
                FabricAttributes {
    private final InfoMemory memory;
    private final long pointerOffset;
    private final String struct;

    Attributes(InfoMemory memory, long pointerOffset, String struct) {
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

    final long getLong(long offset) {
        return Memory.getLong(address() + offset);
    }

    final int getInt(long offset) {
        return Memory.getInt(address() + offset);
    }

    final void putLong(long offset, long value) {
        Memory.putLong(address() + offset, value);
    }

    final void putInt(long offset, int value) {
        Memory.putInt(address() + offset, value);
    }

    final String getString(long offset) {
        return Memory.string(getLong(offset));
    }

    // fi_freeinfo frees what hangs off an fi_info with free(3), so it must come from the C heap.
    final void putString(long offset, String value) {
        LibC.free(getLong(offset));
        putLong(offset, LibC.strdup(value));
    }

    final byte[] getBytes(long offset, long size) {
        long bytes = getLong(offset);
        return bytes == 0 || size < 0 ? new byte[0] : Memory.bytes(bytes, size);
    }

    final void putBytes(long offset, byte[] value) {
        LibC.free(getLong(offset));
        putLong(offset, LibC.copy(value));
    }

    static boolean since(String release) {
        return NativeLibrary.knows(parse(release));
    }

    static void require(String release, String field) {
        if (!since(release)) {
            throw FabricException.of("set " + field, Errno.ENOSYS, "the loaded libfabric is "
                    + NativeLibrary.version() + ", this needs " + release + " or newer");
        }
    }

    /** Refuses constants that the loaded release would take for something else. */
    static <E extends Enum<E> & FabricConstant> Flags<E> checked(Flags<E> flags, String attribute) {
        return flags.requireKnown(attribute);
    }

    private static Version parse(String release) {
        int dot = release.indexOf('.');
        return new Version(Integer.parseInt(release.substring(0, dot)), Integer.parseInt(release.substring(dot + 1)));
    }

    final String text(int type) {
        return NativeText.of(address(), type);
    }
}
