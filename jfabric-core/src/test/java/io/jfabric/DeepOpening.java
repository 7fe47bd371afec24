// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;

/** Opens endpoints where the stack ends, with every amount that is left of it: the JVM of {@link DeepOpeningTest}. */
final class DeepOpening {
    private static int failed;

    private DeepOpening() {
    }

    public static void main(String[] args) throws InterruptedException {
        Providers.Choice choice = new Providers.Choice(args[0], EndpointType.RDM);
        try (FabricInfoList infos = Fabric.getInfo(choice.hints())) {
            failed = 0;
            FabricInfo info = infos.iterator().next();
            try (Fabric fabric = Fabric.open(info)) {
                Domain domain = fabric.openDomain(info);
                domain.openEndpoint(info).close();
                Thread deep = new Thread(null, () -> open(domain, info), "deep", 256 << 10);
                deep.start();
                deep.join();
                domain.close();
                System.out.println("closed " + !domain.isOpen() + ", some failed: " + (failed > 0));
            }
        }
    }

    /** Whether one could be opened. */
    private static boolean open(Domain domain, FabricInfo info) {
        boolean isOpened = false;
        try {
            isOpened = open(domain, info);
        } catch (StackOverflowError end) {
            // so far and no further
        }
        if (!isOpened) {
            try {
                domain.openEndpoint(info).close();
                return true;
            } catch (StackOverflowError e) {
                failed++;
            }
        }
        return isOpened;
    }
}
