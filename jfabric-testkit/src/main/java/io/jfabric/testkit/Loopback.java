// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

/**
 * A loopback address that no other process uses. The system soon gives a port that was closed to somebody else, so that
 * what connects to a peer that has ended may find a listener of another test's process: of sockets one that crashes.
 */
public final class Loopback {
    private static final long PID = ProcessHandle.current().pid();
    private static final int BYTES = 256;
    /** The JDK refuses to bind a socket to 127.x.y.255, which Linux does not. */
    private static final int LAST = 255;
    /** Above the addresses that people choose. There is room for process ids of 22 bits, the longest of Linux. */
    private static final int FIRST = 64;
    private static final String OWN = of(PID);

    private Loopback() {
    }

    static String of(long pid) {
        return "127." + (FIRST + pid / LAST / BYTES) + "." + pid / LAST % BYTES + "." + pid % LAST;
    }

    /** This process's own, as text. */
    public static String own() {
        return OWN;
    }
}
