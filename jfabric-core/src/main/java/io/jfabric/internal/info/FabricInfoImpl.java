// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_info;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.ffi.Exports;
import io.jfabric.internal.ffi.InfoMemory;
import io.jfabric.internal.ffi.InfoOwner;
import io.jfabric.internal.ffi.Memory;

/** {@link FabricInfo}. */
public final class FabricInfoImpl extends InfoImpl<FabricInfo> implements FabricInfo {
    /** Whether closing it frees it; else it is one of a list, or belongs to an open object. */
    private final boolean owning;

    public FabricInfoImpl(InfoMemory memory) {
        super(memory);
        this.owning = false;
    }

    public FabricInfoImpl(InfoOwner owner) {
        super(owner.first());
        this.owning = true;
    }

    /** Takes over an info that libfabric handed out. */
    public static FabricInfoImpl owning(long address) {
        return new FabricInfoImpl(new InfoOwner("the FabricInfo", address));
    }

    @Override
    public FabricInfoImpl self() {
        return this;
    }

    @Override
    public FabricInfoImpl duplicate() {
        return owning(with(Exports::dupinfo));
    }

    /** What the endpoint is to take over ({@code fi_info.handle}). */
    public void handle(long object) {
        with(info -> {
            Memory.putLong(info + fi_info.handle$offset(), object);
            return null;
        });
    }

    /** A copy for an object that frees it when it is closed itself; {@link #close()} does nothing to it. */
    public FabricInfoImpl copy() {
        return new FabricInfoImpl(new InfoOwner("the FabricInfo", with(Exports::dupinfo)).first());
    }

    /** Frees a {@link #copy()}. */
    public void free() {
        memory.owner().free();
    }

    @Override
    public String provider() {
        return fabric().providerName();
    }

    @Override
    public String summary() {
        return provider() + " " + endpoint().type().nativeName() + " on " + domain().name()
                + sourceAddress().map(a -> " at " + a).orElse("");
    }

    /** Whether it may still be read. */
    public boolean isOpen() {
        return !memory.owner().isFreed();
    }

    @Override
    public void close() {
        if (owning) {
            memory.owner().free();
        }
    }
}
