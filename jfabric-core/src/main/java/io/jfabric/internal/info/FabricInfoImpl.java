// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_info;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.ffi.Exports;
import io.jfabric.internal.ffi.InfoMemory;
import io.jfabric.internal.ffi.InfoOwner;
import io.jfabric.internal.ffi.Memory;
import java.util.function.Function;

/** {@link FabricInfo}. */
public final class FabricInfoImpl extends InfoImpl<FabricInfo> implements FabricInfo {
    /** Whether closing it frees it; else it is one of a list, or belongs to an open object. */
    private final boolean owning;
    private final Granted granted;

    public FabricInfoImpl(InfoMemory memory) {
        super(memory);
        this.owning = false;
        this.granted = Granted.by(this);
    }

    public FabricInfoImpl(InfoOwner owner) {
        this(owner, null);
    }

    /** What libfabric granted is that of another info, where this is a copy of it. */
    private FabricInfoImpl(InfoOwner owner, Granted granted) {
        super(owner.first());
        this.owning = true;
        this.granted = granted == null ? Granted.by(this) : granted;
    }

    private FabricInfoImpl(InfoMemory memory, Granted granted) {
        super(memory);
        this.owning = false;
        this.granted = granted;
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
        return new FabricInfoImpl(new InfoOwner("the FabricInfo", with(Exports::dupinfo)), granted);
    }

    /** Refuses limits that were raised above what libfabric answered: providers believe them. */
    public void checkGranted(String operation) {
        granted.check(operation, this);
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
        return new FabricInfoImpl(new InfoOwner("the FabricInfo", with(Exports::dupinfo)).first(), granted);
    }

    /** Opens something with a copy of its own, as providers (sockets) keep pointers into what they were given. */
    public <T> T opening(Function<FabricInfoImpl, T> opener) {
        FabricInfoImpl copy = copy();
        try {
            return opener.apply(copy);
        } catch (RuntimeException e) {
            copy.free();
            throw e;
        }
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
