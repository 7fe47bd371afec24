// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.internal.quirk.LockRescue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The name of a shm endpoint in /dev/shm. The provider would remove it in the signal handlers that jfabric gives back
 * to the JVM; so a hook removes the names of endpoints that are still open when the JVM ends, SIGTERM included.
 */
public final class ShmName {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final long PATIENCE = 500_000_000L;
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
        Path file = file(address.toText());
        return file.equals(FOLDER) || !Files.exists(file) ? null : new ShmName(file);
    }

    /** Where the memory of an endpoint with this name is. */
    static Path file(String name) {
        int scheme = name.indexOf("://");
        return FOLDER.resolve((scheme < 0 ? name : name.substring(scheme + 3)).replace("/", ""));
    }

    /** Gives a process that was asked to map this file some time to do so. */
    public void awaitAnswer() {
        long end = System.nanoTime() + PATIENCE;
        while (isAwaited() && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Whether another process that lives was asked to map this file, and has not done so: it needs the name. */
    public boolean isAwaited() {
        return LockRescue.isAwaited(file);
    }

    public void closed() {
        OPEN.remove(file);
    }

    /** Makes a file, and removes it. */
    static void tryCreate(Path file) throws IOException {
        Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE).close();
    }

    private static void unlinkAll() {
        for (Path file : OPEN) {
            if (LockRescue.isAwaited(file)) {
                continue;
            }
            try {
                Files.deleteIfExists(file);
            } catch (IOException alreadyGone) {
                // nothing left to do at exit
            }
        }
    }
}
