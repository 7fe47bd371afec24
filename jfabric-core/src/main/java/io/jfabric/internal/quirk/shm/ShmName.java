// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
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
final class ShmName {
    private static final long PATIENCE = 500_000_000L;
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();
    /** Those whose peers need them until they have answered. */
    private static final Set<Path> ASKING = ConcurrentHashMap.newKeySet();

    /** Never started: to be asked whether hooks can still be changed. */
    private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> { });
    /** While there is a name to remove; else null. */
    private static Thread hook;

    private final Path file;
    private final boolean needsAnswers;

    private ShmName(Path file, boolean needsAnswers) {
        this.file = file;
        this.needsAnswers = needsAnswers;
    }

    /** Before there is a new one: throws if the JVM is ending, as nothing might remove it. */
    static void checkPossible() {
        try {
            Runtime.getRuntime().removeShutdownHook(NOBODY);
        } catch (IllegalStateException exiting) {
            throw new IllegalStateException("fi_enable: the JVM is ending, and might leave the file of a new endpoint "
                    + "in /dev/shm; enable it earlier, or use tcp", exiting);
        }
    }

    private void open() {
        synchronized (OPEN) {
            if (hook == null) {
                // Only unlinks: to close endpoints here would pull them from under threads that still use them.
                hook = new Thread(ShmName::unlinkAll, "jfabric-names");
                Runtime.getRuntime().addShutdownHook(hook);
            }
            (needsAnswers ? ASKING : OPEN).add(file);
        }
        // if it has not begun to end by now, the hook finds it
        checkPossible();
    }

    /**
     * The name behind an endpoint's address; null if it is not one.
     *
     * @param needsAnswers whether who is asked to map the file crashes where it is not
     */
    static ShmName of(Address address, boolean needsAnswers) {
        if (address.format() != AddressFormat.ADDR_STR) {
            return null;
        }
        Path file = file(address.toText());
        if (file.equals(SharedRegion.FOLDER) || !Files.exists(file)) {
            return null;
        }
        ShmName name = new ShmName(file, needsAnswers);
        try {
            name.open();
        } catch (IllegalStateException exiting) {
            unlink(file);
            throw exiting;
        }
        return name;
    }

    /** Where the memory of an endpoint with this name is. */
    static Path file(String name) {
        return SharedRegion.FOLDER.resolve(name.substring(NameScheme.end(name)).replace("/", ""));
    }

    /**
     * Gives a process that was asked to map this file some time to do so.
     *
     * @param knowsOthers whether there is one that may have been asked: where the file does not tell, all of the time
     */
    void awaitAnswer(boolean knowsOthers) {
        boolean cannotTell = needsAnswers && knowsOthers && Files.exists(file) && !LockRescue.canRead(file);
        long end = System.nanoTime() + PATIENCE;
        while ((cannotTell || isAwaited()) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Whether another process that lives was asked to map this file, and has not done so: it needs the name. */
    boolean isAwaited() {
        return needsAnswers && LockRescue.isAwaited(file);
    }

    void closed() {
        synchronized (OPEN) {
            OPEN.remove(file);
            ASKING.remove(file);
            if (OPEN.isEmpty() && ASKING.isEmpty() && hook != null) {
                try {
                    // it would keep jfabric loaded
                    Runtime.getRuntime().removeShutdownHook(hook);
                    hook = null;
                } catch (IllegalStateException exiting) {
                    // it finds nothing to do
                }
            }
        }
    }

    /** Makes a file, and removes it. */
    static void tryCreate(Path file) throws IOException {
        Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE).close();
    }

    private static void unlinkAll() {
        OPEN.forEach(ShmName::unlink);
        for (Path file : ASKING) {
            if (!LockRescue.isAwaited(file)) {
                SharedRegion region = SharedRegion.map(file);
                unlink(file);
                // not before: who maps it by its name maps as much as it says
                if (region != null) {
                    region.stayMapped();
                }
            }
        }
    }

    private static void unlink(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException alreadyGone) {
            // nothing left to do at exit
        }
    }
}
