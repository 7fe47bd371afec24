// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.Domain;
import io.jfabric.Fabric;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import java.util.Set;

/** An open fabric and domain; twin of {@code struct domain}. */
final class OpenDomain implements AutoCloseable {
    final FabricInfo info;
    final Fabric fabric;
    final Domain domain;
    final Setting setting;
    /** Whether queues are waited for in the kernel. */
    final boolean sleeps;

    OpenDomain(Options options, Capability... capabilities) {
        try (Hints hints = hints(options, capabilities); FabricInfoList infos = getInfo(options, hints)) {
            info = infos.first().duplicate();
        }
        if (options.waits()) {
            System.out.println("provider " + info.provider() + " " + Fabric.versionText());
        }
        setting = options.setting();
        sleeps = options.has("wait-round-trip");
        fabric = Fabric.open(info);
        domain = fabric.openDomain(info);
    }

    static Hints hints(Options options, Capability... capabilities) {
        Hints hints = Hints.empty().capabilities(capabilities).mode(Mode.CONTEXT, Mode.CONTEXT2)
                .endpointType(EndpointType.RDM).provider(options.provider());
        hints.domain().mode(Mode.CONTEXT, Mode.CONTEXT2)
                .mrMode(MrMode.LOCAL, MrMode.VIRT_ADDR, MrMode.ALLOCATED, MrMode.PROV_KEY);
        return options.setting() == Setting.DEFAULT ? hints : hints.oneThread();
    }

    static FabricInfoList getInfo(Options options, Hints hints) {
        return Fabric.getInfo(options.node(), null,
                options.node() == null ? Set.of() : Set.of(GetInfoFlag.SOURCE), hints);
    }

    @Override
    public void close() {
        fabric.close();
        info.close();
    }
}
