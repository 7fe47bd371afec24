// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;

/** What -Djfabric.leaks remembers: where objects were opened, and buffers taken. */
class LeakPlacesTest {
    private static final String OPENED = "LeakPlaces.forgetsAFabric";
    private static final String TAKEN = "LeakPlaces.takesABuffer";

    private static String output(String... flags) {
        assumeTrue(Providers.RXM.isOffered());
        try (ChildJvm child = ChildJvm.of(LeakPlaces.class).flags(flags).start()) {
            child.awaitLine("over"::equals);
            // its stack trace, if there is one, was written at once
            child.awaitLine(line -> line.contains("never closed"));
            child.terminate();
            return child.await().output();
        }
    }

    @Test
    void placesOfWhatIsOpenedSeldomAreRememberedUnlessToldOtherwise() {
        assertThat(output()).contains(OPENED).doesNotContain(TAKEN).contains("places: 0")
                .contains("-Djfabric.leaks=stack says where");
    }

    @Test
    void stackRemembersThoseOfBuffersToo() {
        assertThat(output("-Djfabric.leaks=stack")).contains(OPENED).contains(TAKEN).contains("places: 1")
                .contains("1 of 1 are taken");
    }

    @Test
    void nostackRemembersNone() {
        assertThat(output("-Djfabric.leaks=nostack")).doesNotContain(OPENED).doesNotContain(TAKEN)
                .contains("places: 0");
    }
}
