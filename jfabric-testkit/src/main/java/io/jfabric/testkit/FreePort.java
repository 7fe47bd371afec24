// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A TCP port for a server that begins later, and perhaps in another process. */
public final class FreePort {
    /** Below those that the system gives to who asks for any, which may do so before the server has begun. */
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;

    private FreePort() {
    }

    /** One that nothing uses now, on any of this machine's addresses. */
    public static int choose() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (IOException taken) {
                // the next one
            }
        }
    }
}
