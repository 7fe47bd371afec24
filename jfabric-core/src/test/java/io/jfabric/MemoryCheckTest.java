// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/** The mode that reports arenas and pooled buffers closed too early, and requests used too late. */
class MemoryCheckTest {
    private static String run(String... arguments) {
        ChildJvm.Result result = ChildJvm.of(MemoryCheckChild.class, arguments)
                .flags("-Djfabric.checkMemory=true").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    @Test
    void reportsAReceiveAtTheNextPoll() {
        assertThat(run("receive"))
                .contains("THROWN memory was freed under Messages.receive with context 77 of endpoint@")
                .contains("POSTED posted here").contains("ERROR").contains("MemoryCheckChild.main").contains("END");
    }

    @Test
    void reportsARegionAtTheNextPoll() {
        assertThat(run("region")).contains("THROWN memory was freed under memory region@")
                .contains("POSTED registered here").contains("MemoryCheckChild.main").contains("END");
    }

    @Test
    void refusesAPooledBufferThatAnOperationUses() {
        assertThat(run("pool")).contains("GIVEN BACK")
                .contains("THROWN a pooled buffer was given back under Messages.receive with context 77 of endpoint@")
                .contains("POSTED posted here").contains("ERROR")
                .contains("buffer 1 of ").contains(", then Optional.empty");
    }

    /** A request cannot be used once it is answered; an answer may be a part of it. */
    @Test
    void refusesARequestThatWasAnswered() {
        String output = run("calls");
        assertThat(output).contains("OWN 192 ends with 77", "OTHER 200 ends with 0", "OWN 299992 ends with 77",
                "OTHER 300000 ends with 0").doesNotContain("NOT SEEN", "ERROR");
        assertThat(output.lines().filter("HANDLER THROWN Already closed"::equals)).hasSize(4);
    }

    @Test
    void reportsWhenNobodyPollsAnyMore() {
        assertThat(run("receive", "close")).contains("ERROR").contains("memory was freed under Messages.receive");
    }

    @Test
    void saysNothingWithoutAMistake() {
        assertThat(run("nothing")).contains("NOT SEEN").contains("END").doesNotContain("ERROR");
    }
}
