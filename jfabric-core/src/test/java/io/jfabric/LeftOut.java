// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;

/** Opens a domain for collectives, which one of libfabric's providers may be missing for. */
final class LeftOut {
    private LeftOut() {
    }

    public static void main(String[] arguments) {
        try (FabricInfoList infos = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.COLLECTIVE)); Fabric fabric = Fabric.open(infos.first())) {
            Domain domain = fabric.openDomain(infos.first());
            domain.openAddressVector();
            System.out.println("opened");
        } catch (FabricException missing) {
            System.out.println(missing.getMessage());
        }
    }
}
