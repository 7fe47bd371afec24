// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Version;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Leftovers;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An address vector of shm has 256 places, of which each who writes to its endpoint takes one. */
@Timeout(120)
class ManySendersTest {
    private static final int PLACES = 256;

    /** Which of them loses its place differs between releases. */
    @Test
    void theNextSenderTakesAnothersPlace() throws Exception {
        assumeTrue(Providers.SHM.isOffered() && Fabric.version().compareTo(new Version(2, 0)) >= 0, "shm of 2.0");
        try (Pair pair = Pair.open(Providers.SHM)) {
            MemorySegment memory = Arena.ofAuto().allocate(8);
            // its peer has a place, the first of the others the next one, and who comes after the last takes the first
            try (ChildJvm child = ChildJvm.of(ManySenders.class, pair.a.endpoint.address().toText(),
                    Integer.toString(PLACES + 1)).environment("FI_SHM_RX_SIZE", "16")
                    .environment("FI_SHM_TX_SIZE", "16").start()) {
                long first = pair.a.addresses.insert(Address.of(
                        child.awaitLine(line -> line.startsWith("first ")).substring("first ".length())));
                pair.post(() -> pair.a.endpoint.messages().send(memory, first, 1));
                await(child, pair, "sent"::equals);
                pair.post(() -> pair.a.endpoint.messages().send(memory, first, 2));
                assertThat(await(child, pair, line -> line.startsWith("it came to"))).isEqualTo("it came to " + PLACES);
                child.kill();
                Leftovers.removeFiles(child.pid() + ":");
            }
        }
    }

    private static String await(ChildJvm child, Pair pair, Predicate<String> which) {
        String[] found = {null};
        pair.until("a line of the other process", () -> {
            // the other one needs the processor
            LockSupport.parkNanos(200_000);
            found[0] = child.output().lines().filter(which).findFirst().orElse(null);
            return found[0] != null;
        });
        return found[0];
    }
}
