// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import java.io.IOException;
import java.net.Socket;
import java.util.function.Supplier;

/** Threads of a provider that take connection requests, and send answers, whenever they get to it. */
public final class AcceptingThreads {
    private static final int MILLIS = 1000;
    /** With the first, what was to be answered may only have been noticed. */
    private static final int TURNS = 2;

    private AcceptingThreads() {
    }

    /**
     * Waits until those threads have read the requests of all who have connected, and sent the answers that were given:
     * they take what comes in turn, and close a connection whose other side ends it without a word.
     */
    public static void settle(Supplier<Address> listener) {
        for (int turn = 0; turn < TURNS; turn++) {
            try (Socket socket = new Socket()) {
                socket.connect(listener.get().toInetSocketAddress(), MILLIS);
                socket.setSoTimeout(MILLIS);
                socket.shutdownOutput();
                socket.getInputStream().read();
            } catch (IOException | FabricException | IllegalStateException unsettled) {
                // it is closed as it is, as a program in C does
                return;
            }
        }
    }
}
