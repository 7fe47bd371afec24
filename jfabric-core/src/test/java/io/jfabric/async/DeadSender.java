// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Sends a long message, and one of {@link #SHORT} bytes behind it, to be killed: NAME ADDRESS; see DeadSenderTest. */
final class DeadSender {
    static final int SIZE = 100_000;
    static final int SHORT = 8;
    static final int LONG_TAG = 7;
    static final int SHORT_TAG = 8;

    private DeadSender() {
    }

    public static void main(String[] args) throws Exception {
        try (Node node = KeepAliveChild.open("shm", args[0])) {
            Peer peer = node.peer(HexFormat.of().parseHex(args[1]));
            node.send(node.allocate(SIZE), peer, LONG_TAG);
            node.send(node.allocate(SHORT), peer, SHORT_TAG).get(30, TimeUnit.SECONDS);
            Thread.sleep(TimeUnit.MINUTES.toMillis(1));
        }
    }
}
