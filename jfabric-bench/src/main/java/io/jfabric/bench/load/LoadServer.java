// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.load;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import java.io.IOException;
import java.util.HexFormat;

/** Answers requests with themselves: PROVIDER. Says where it is, and ends with its stdin. */
public final class LoadServer {
    static final int SERVICE = 1;

    private LoadServer() {
    }

    /**
     * Runs the server.
     *
     * @param args the provider
     */
    public static void main(String[] args) throws IOException {
        try (Node node = open(args[0]); Service service = Service.open(node, SERVICE,
                call -> call.answer(call.request()),
                ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT).withLimit(1 << 15))) {
            System.out.println("here " + HexFormat.of().formatHex(node.address().bytes()));
            while (System.in.read() >= 0) {
                // until it is closed
            }
            System.out.println("answered " + service.answered() + ", refused " + service.refused() + ", late "
                    + service.late());
        }
    }

    static Node open(String provider) {
        try (Hints hints = Hints.rdm().provider(provider).capabilities(Capability.MSG, Capability.TAGGED)) {
            return Node.open(hints);
        }
    }
}
