// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that takes the name of one that was killed. */
@Timeout(90)
class ShmRenameTest {
    @Test
    void aNameOfAnotherProcessIsRefused() {
        assumeTrue(Providers.SHM.isOffered() && Quirks.of("shm").has(Quirk.RETURNS_TO_NAMES),
                "this release returns nothing by names");
        String name = "jfabric-rename-" + ProcessHandle.current().pid() + '-';
        try (Pair pair = Pair.open(Providers.SHM);
                ChildJvm first = ChildJvm.of(ShmRename.class, name).start()) {
            Address address = address(first);
            long before = pair.a.addresses.insert(address);
            // as often as one likes
            pair.a.addresses.insert(address);
            first.kill();
            assertThatIllegalStateException().isThrownBy(() -> pair.a.addresses.insert(address))
                    .withMessageContaining("of process " + first.pid() + ", which has died");
            try (ChildJvm second = first.restart()) {
                assertThatIllegalStateException().isThrownBy(() -> pair.a.addresses.insert(address(second)))
                        .withMessageContaining("of process " + first.pid())
                        .withMessageContaining("of process " + second.pid());
                // as often as it was inserted
                pair.a.addresses.remove(before);
                pair.a.addresses.remove(before);
                pair.a.addresses.insert(address(second));
                // who has heard nothing of the first has nothing to give back
                pair.b.addresses.insert(address(second));
                second.tell("end");
                second.await();
            }
        }
    }

    private static Address address(ChildJvm child) {
        return Address.of(child.awaitLine(line -> line.startsWith("ready ")).substring("ready ".length()));
    }
}
