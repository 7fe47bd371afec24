// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_info;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.Info;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.Progress;
import io.jfabric.info.Threading;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.library.InfoOwner;
import io.jfabric.internal.library.NativeLibrary;
import java.util.Objects;

/** {@link Hints}. */
public final class HintsImpl extends InfoImpl<Hints> implements Hints {
    private final InfoOwner owner;

    private HintsImpl(InfoOwner owner) {
        super(owner.first());
        this.owner = owner;
    }

    public static HintsImpl create() {
        HintsImpl hints = empty();
        Flags<Mode> handled = Flags.of(Mode.CONTEXT, Mode.CONTEXT2, Mode.MSG_PREFIX, Mode.RX_CQ_DATA);
        hints.mode(handled).domain().mode(handled).mrMode(MrMode.LOCAL, MrMode.RAW, MrMode.VIRT_ADDR,
                MrMode.ALLOCATED, MrMode.PROV_KEY, MrMode.ENDPOINT, MrMode.HMEM, MrMode.COLLECTIVE);
        return hints;
    }

    public static HintsImpl empty() {
        NativeLibrary.require();
        return new HintsImpl(new InfoOwner("the Hints", Exports.dupinfo(0)));
    }

    public static HintsImpl copyOf(Info<?> info) {
        Objects.requireNonNull(info, "Hints.copyOf: the info is null");
        long copy = ((InfoImpl<?>) info).with(Exports::dupinfo);
        // the handle of a connection request, which may have been answered by then
        Memory.putLong(copy + fi_info.handle$offset(), 0);
        return new HintsImpl(new InfoOwner("the Hints", copy));
    }

    @Override
    public HintsImpl self() {
        return this;
    }

    @Override
    public HintsImpl endpointType(EndpointType type) {
        endpoint().type(type);
        return this;
    }

    @Override
    public HintsImpl provider(String name) {
        fabric().providerName(name);
        return this;
    }

    @Override
    public HintsImpl oneThread() {
        boolean unified = Known.since(Progress.CONTROL_UNIFIED.since());
        domain().threading(Threading.DOMAIN).dataProgress(Progress.MANUAL)
                .controlProgress(unified ? Progress.CONTROL_UNIFIED : Progress.UNSPEC);
        return this;
    }

    @Override
    public void close() {
        owner.free();
    }
}
