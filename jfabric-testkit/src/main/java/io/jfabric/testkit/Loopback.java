// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

/**
 * A loopback address that no other process uses. The system soon gives a port that was closed to somebody else, so that
 * what connects to a peer that has ended may find a listener of another test's process: of sockets one that crashes.
 */
public final class Loopback {
    private static final long PID = ProcessHandle.current().pid();
    private static final int BYTE = 0xff;
    /** Above the addresses that people choose. */
    private static final int FIRST = 64;
    /** Linux has no greater process ids than of 22 bits. */
    private static final int MOST = 0x3f;
    private static final String OWN = "127." + (FIRST + (PID >> 16 & MOST)) + "." + (PID >> 8 & BYTE) + "."
            + (PID & BYTE);

    private Loopback() {
    }

    /** This process's own, as text. */
    public static String own() {
        return OWN;
    }
}
