// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.launch.JobException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not known is refused: half of a job would wait for the other elsewhere. */
class TargetTest {
    private static Target target(String where, String server) {
        Map<String, String> environment = new HashMap<>(Map.of(Target.RENDEZVOUS, where, Target.SIZE, "2"));
        if (server != null) {
            environment.put(Target.SERVER, server);
        }
        return Target.of(environment);
    }

    @ParameterizedTest
    @CsvSource({"h, h", "10.0.0.3, 10.0.0.3", "::1, ::1", "[::1], ::1", "[fe80::1%eth0], fe80::1%eth0"})
    void hostsMayBeInBrackets(String text, String host) {
        Target target = target(text + ":4900", null);
        assertThat(target.host()).isEqualTo(host);
        assertThat(target.port()).isEqualTo(4900);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":4900", "4900", "[]:4900", "[:4900", "]:4900", "[::1:4900", "::1]:4900", "[::1]4900",
        " h:4900", "h :4900", "h: 4900", "h:4900 ", "h h:4900", "\t:4900", "[ ]:4900"})
    void hostsThatCannotBeAreRefused(String where) {
        assertThatThrownBy(() -> target(where, null)).isInstanceOf(JobException.class)
                .hasMessage("JFABRIC_RENDEZVOUS: \"" + where + "\" is not host:port, without blanks");
    }

    @ParameterizedTest
    @CsvSource({"'', true", "rank0, true", "apart, false", ", true"})
    void serversAreKnown(String server, boolean rank0) {
        assertThat(target("h:4900", server).servedByRank0()).isEqualTo(rank0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "APART", " ", "apart ", "rank 0"})
    void otherServersAreRefused(String server) {
        assertThatThrownBy(() -> target("h:4900", server)).isInstanceOf(JobException.class)
                .hasMessage("JFABRIC_RENDEZVOUS_SERVER: \"" + server + "\" is neither rank0 nor apart");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/no/such/file", "a\0b"})
    void secretsThatCannotBeReadAreRefused(String file) {
        Map<String, String> environment = Map.of(Target.RENDEZVOUS, "h:4900", Target.SIZE, "2", Target.SECRET_FILE,
                file);
        assertThatThrownBy(() -> Target.of(environment)).isInstanceOf(JobException.class)
                .hasMessageStartingWith("JFABRIC_SECRET_FILE=" + file + " cannot be read: ");
    }
}
