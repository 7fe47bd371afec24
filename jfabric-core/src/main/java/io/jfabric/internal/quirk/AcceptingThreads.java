// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import java.io.IOException;
import java.net.Socket;
import java.util.function.Supplier;

/** Waits for a provider's own threads, which take connection requests and send answers whenever they get to it. */
public final class AcceptingThreads {
    private static final int MILLIS = 1000;
    /** After the first turn, the requests to be answered may only have been noticed. */
    private static final int TURNS = 2;

    private AcceptingThreads() {
    }

    /**
     * Waits until those threads have read the requests of all peers that have connected, and sent the answers that were
     * given: they work in order, and close a connection whose other side ends it without a word.
     */
    public static void settle(Supplier<Address> listener) {
        for (int turn = 0; turn < TURNS; turn++) {
            try (Socket socket = new Socket()) {
                socket.connect(listener.get().toInetSocketAddress(), MILLIS);
                socket.setSoTimeout(MILLIS);
                socket.shutdownOutput();
                socket.getInputStream().read();
            } catch (IOException | FabricException | IllegalStateException unsettled) {
                // closed unsettled then, as by a program in C
                return;
            }
        }
    }
}
