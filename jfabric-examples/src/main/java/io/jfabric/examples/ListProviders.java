// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.Fabric;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Lists the providers that work here, and what each offers. Look at how the attributes of a {@link FabricInfo} are
 * read, and that the list is closed: the infos live in memory of libfabric's.
 */
public final class ListProviders {
    private ListProviders() {
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        if (!Fabric.isAvailable()) {
            throw Fabric.unavailabilityCause().orElseThrow();
        }
        System.out.println("libfabric " + Fabric.versionText() + " (" + Fabric.libraryPath() + ")");

        // no hints: everything there is
        try (FabricInfoList infos = Fabric.getInfo(null)) {
            Map<String, List<FabricInfo>> byProvider = infos.stream()
                    .collect(Collectors.groupingBy(FabricInfo::provider, TreeMap::new, Collectors.toList()));
            byProvider.forEach((provider, offers) -> {
                System.out.println(provider + " " + offers.getFirst().fabric().providerVersion());
                offers.forEach(ListProviders::print);
            });
        }
    }

    private static void print(FabricInfo info) {
        System.out.printf("    %-12s domain %s, fabric %s%n", info.endpoint().type().nativeName(),
                info.domain().name().orElse(""), info.fabric().name().orElse(""));
        long most = info.endpoint().maxMessageSize();
        System.out.printf("    %12s %s, messages %s, %d bytes injected%n", "",
                info.sourceAddress().map(Address::toString).orElse("no address yet"),
                most == Long.MAX_VALUE ? "of any length" : "up to " + most + " bytes", info.tx().injectSize());
        System.out.printf("    %12s can %s%n", "", info.capabilities());
    }
}
