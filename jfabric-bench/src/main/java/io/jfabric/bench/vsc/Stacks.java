// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.Fabric;
import io.jfabric.info.Version;

/** The providers that are measured, by short names. */
public final class Stacks {
    /** Before it, the provider tcp has no datagrams of its own, and net has. */
    private static final Version ONE_TCP = new Version(1, 18);

    private Stacks() {
    }

    /** What libfabric calls it: tcp is the fastest way over TCP, rxm the one of older programs. */
    public static String provider(String name) {
        return switch (name) {
            case "tcp" -> Fabric.version().atLeast(ONE_TCP) ? "tcp" : "net";
            case "rxm" -> "tcp;ofi_rxm";
            default -> name;
        };
    }
}
