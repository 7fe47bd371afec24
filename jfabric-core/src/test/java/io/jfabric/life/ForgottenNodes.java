// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import io.jfabric.Fabric;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.lang.ref.WeakReference;

/** Opens nodes of the provider PROVIDER, forgets them, and shows what is open then. Of {@link ForgottenNodesTest}. */
final class ForgottenNodes {
    private ForgottenNodes() {
    }

    public static void main(String[] args) throws InterruptedException {
        try (FabricInfoList infos = new Providers.Choice(args[0], EndpointType.RDM).find(hints -> { })) {
            for (int i = 0; i < 2; i++) {
                WeakReference<Node> driven = forget(infos, NodeOptions.DEFAULT);
                WeakReference<Node> undriven = forget(infos, NodeOptions.DEFAULT.withCallerProgress());
                while (driven.get() != null || undriven.get() != null) {
                    System.gc();
                    Thread.sleep(10);
                }
            }
        }
        // the cleaner's turn
        Thread.sleep(200);
        Fabric.openObjects().stream().filter(open -> open.kind().equals("Node"))
                .forEach(node -> System.out.println("listed: " + node));
        System.out.println("over");
    }

    private static WeakReference<Node> forget(FabricInfoList infos, NodeOptions options) {
        Node node = Node.open(infos.first(), options);
        System.out.println((options.callerProgress() ? "undriven: " : "driven: ") + node);
        return new WeakReference<>(node);
    }
}
