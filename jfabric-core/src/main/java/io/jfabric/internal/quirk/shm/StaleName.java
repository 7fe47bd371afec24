// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.Endpoint;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Mapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * What a killed process leaves in /dev/shm: the names of its endpoints, which begin with its id. A process that has the
 * id later could not enable its own: the provider would find that the owner lives, which is the process itself.
 */
final class StaleName {
    private static final Log LOG = Log.of(Endpoint.class);

    private StaleName() {
    }

    /** Removes the file of that address if it has this process's id, but is older. */
    static void remove(String address) {
        Path file = ShmName.file(address);
        String own = ProcessHandle.current().pid() + ":";
        try {
            if (file.getFileName().toString().startsWith(own) && Files.exists(file) && isOlder(file)
                    && !isMapped(file)) {
                Files.delete(file);
                LOG.warn("removed {}, which a killed process had left that had this one's id", file);
            }
        } catch (IOException e) {
            LOG.debug("{} stays", file, e);
        }
    }

    /**
     * Removes the file of a process that is dead, if it had met others. The provider would make the new endpoint in
     * that file, which they have mapped and go on writing to: with numbers that the dead process gave them.
     *
     * @param staysMapped whether they would crash when they unmap it for the new one
     */
    static void removeOfDead(String address, boolean staysMapped) {
        Path file = ShmName.file(address);
        if (!Files.exists(file) || !ShmNameCheck.isOfDead(file)) {
            return;
        }
        SharedRegion region = staysMapped ? SharedRegion.map(file) : null;
        try {
            Files.delete(file);
            // not before: who maps it by its name maps as much as it says
            if (region != null) {
                region.stayMapped();
            }
            LOG.debug("removed {}, which a killed process had left", file);
        } catch (IOException e) {
            LOG.debug("{} stays", file, e);
        } finally {
            if (region != null) {
                region.unmap();
            }
        }
    }

    /** An endpoint has the name of one whose process was killed, where that matters to others: the file was there. */
    static void warn(String address) {
        LOG.warn("the name {} was that of a process that was killed: with this release of libfabric, those who had "
                + "sent to that one may not reach this endpoint, and this process may crash when one of them sends to "
                + "it, or gives back what that one had sent. Give each start a name of its own, or none", address);
    }

    private static boolean isOlder(Path file) throws IOException {
        Instant start = ProcessHandle.current().info().startInstant().orElse(Instant.MIN);
        return Files.getLastModifiedTime(file).toInstant().isBefore(start);
    }

    private static boolean isMapped(Path file) throws IOException {
        return Mapping.of("self", file).stream().anyMatch(mapping -> !mapping.isRemoved());
    }
}
