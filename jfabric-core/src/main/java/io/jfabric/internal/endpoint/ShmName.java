// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The name of a shm endpoint in /dev/shm. The provider would remove it in the signal handlers that jfabric gives back
 * to the JVM; so a hook removes the names of endpoints that are still open when the JVM ends, SIGTERM included.
 */
public final class ShmName {
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    static {
        // Only unlinks: to close endpoints here would pull them from under threads that still use them.
        Runtime.getRuntime().addShutdownHook(new Thread(ShmName::unlinkAll, "jfabric-names"));
    }

    private final Path file;

    private ShmName(Path file) {
        this.file = file;
        OPEN.add(file);
    }

    /** The name behind an endpoint's address; null if it is not one. */
    public static ShmName of(Address address) {
        if (address.format() != AddressFormat.ADDR_STR) {
            return null;
        }
        String text = address.toText();
        int scheme = text.indexOf("://");
        String name = scheme < 0 ? text : text.substring(scheme + 3);
        Path file = Path.of("/dev/shm").resolve(name.replace("/", ""));
        return name.isEmpty() || !Files.exists(file) ? null : new ShmName(file);
    }

    public void closed() {
        OPEN.remove(file);
    }

    private static void unlinkAll() {
        for (Path file : OPEN) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException alreadyGone) {
                // nothing left to do at exit
            }
        }
    }
}
