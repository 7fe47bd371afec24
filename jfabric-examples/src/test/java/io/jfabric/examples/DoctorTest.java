// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.examples.Program.Result;
import io.jfabric.examples.doctor.Doctor;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code scripts/doctor}, as people, machines and job prologs use it. */
class DoctorTest {
    private static Result run(Map<String, String> environment, String... args) {
        try (Program program = Program.java(environment, Doctor.class, args)) {
            return program.await();
        }
    }

    @Test
    void itIsCalledByThePathOfItsScript() {
        Result result = run(Map.of(), "--help");
        assertThat(result.status()).as(result.toString()).isZero();
        assertThat(result.out()).contains("Usage: scripts/doctor ");
    }

    @Test
    void machinesGetOneObject() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        Result result = run(Map.of(), "--json", "-p", "shm");
        assertThat(result.status()).as(result.toString()).isZero();
        Map<?, ?> json = (Map<?, ?>) JsonReader.read(result.out());
        assertThat(json.get("jfabric")).isEqualTo(Fabric.jfabricVersion());
        assertThat(json.get("version")).isEqualTo(Fabric.versionText());
        assertThat((String) json.get("library")).startsWith("/").contains("libfabric.so");
        assertThat((List<?>) json.get("providers")).anyMatch("shm"::equals).anyMatch("tcp"::equals);
        assertThat((List<?>) json.get("candidates")).isNotEmpty()
                .allMatch(candidate -> candidate.toString().startsWith("shm FI_EP_RDM"));
        List<?> checks = (List<?>) json.get("checks");
        assertThat(checks.stream().map(check -> (String) ((Map<?, ?>) check).get("name"))).contains("jfabric",
                "library", "version", "providers", "memlock", "dev-shm", "huge-pages", "signals",
                "registration-monitor", "jvm-flags", "native-access", "cma", "chosen");
        assertThat(checks).allSatisfy(check -> {
            Map<?, ?> one = (Map<?, ?>) check;
            assertThat(one.get("state")).isIn("ok", "warning");
            assertThat((String) one.get("found")).isNotBlank();
            if (one.get("name").equals("jvm-flags")) {
                assertThat(one.get("found")).isEqualTo("UseSystemMemoryBarrier is on");
            } else if (one.get("name").equals("signals")) {
                assertThat(one.get("state")).isEqualTo("ok");
            }
        });
    }

    /** So the provider that is named is one that such a node would get. */
    @Test
    void asksForWhatTheUsualHintsAskFor() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Hints rdm = Hints.rdm(); Hints msg = Hints.msg()) {
            Map.of("RDM", rdm, "MSG", msg).forEach((type, hints) -> {
                Map<?, ?> json = (Map<?, ?>) JsonReader.read(run(Map.of(), "--json", "-t", type).out());
                assertThat(json.get("hints")).isEqualTo("endpoint type " + type + ", capabilities "
                        + hints.capabilities().toSet());
            });
        }
    }

    @Test
    void peopleGetText() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        Result result = run(Map.of(), "-t", "MSG", "-c", "MSG,RMA");
        assertThat(result.status()).as(result.toString()).isZero();
        assertThat(result.out()).containsPattern("(?m)^  ok      library +/.*libfabric\\.so")
                .contains("For endpoint type MSG, capabilities [MSG, RMA]:")
                .containsPattern("(?m)^   1\\. tcp FI_EP_MSG on ")
                .containsPattern("(?m)^   -  shm: .*FI_EP_MSG");
    }

    @Test
    void whatCannotWorkFailsTheProlog() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        Result none = run(Map.of(), "--json", "-p", "nosuch");
        assertThat(none.status()).isEqualTo(1);
        Map<?, ?> json = (Map<?, ?>) JsonReader.read(none.out());
        assertThat((List<?>) json.get("candidates")).isEmpty();
        assertThat(json.get("checks").toString()).contains("state=wrong");
    }

    @Test
    void aHostThatNobodyKnowsIsNotReached() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        Result result = run(Map.of(), "-n", "no-such-host.invalid");
        assertThat(result.status()).as(result.toString()).isEqualTo(1);
        assertThat(result.out())
                .containsPattern("(?m)^  WRONG +chosen +node \"no-such-host.invalid\" cannot be resolved")
                .doesNotContain("there is a match");
    }

    @Test
    void whatTheEnvironmentLeavesOutIsSaid() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        Result result = run(Map.of("FI_PROVIDER", "nosuch"));
        assertThat(result.status()).as(result.toString()).isEqualTo(1);
        assertThat(result.out()).containsPattern("(?m)^  WRONG +chosen +.*; none of the providers that "
                + "FI_PROVIDER=\"nosuch\" in the environment leaves ")
                .containsPattern("(?m)^   -  shm: FI_PROVIDER=\"nosuch\" in the environment leaves it out$");
    }

    /** Such as a capability that this release of libfabric does not have. */
    @Test
    void whatCannotBeAskedForIsSaidOfEachProvider() {
        assumeTrue(Fabric.isAvailable() && !Fabric.version().atLeast(new Version(2, 0)), "libfabric before 2.0");
        Result result = run(Map.of(), "--json", "-c", "TAGGED_DIRECTED_RECV");
        assertThat(result.status()).as(result.toString()).isEqualTo(1);
        Map<?, ?> json = (Map<?, ?>) JsonReader.read(result.out());
        assertThat((List<?>) json.get("candidates")).isEmpty();
        assertThat(json.get("checks").toString()).contains("needs libfabric 2.0 or newer");
        assertThat((List<?>) json.get("others")).isNotEmpty()
                .allMatch(other -> other.toString().contains("needs libfabric 2.0 or newer"));
    }

    @Test
    void whatIsNoConstantOfLibfabricsIsNoHint() {
        for (List<String> args : List.of(List.of("-t", "UNRECOGNIZED"), List.of("-t", "nosuch"),
                List.of("-c", "TAGGED,nosuch"))) {
            Result result = run(Map.of(), args.toArray(String[]::new));
            assertThat(result.status()).as(result.toString()).isEqualTo(2);
            assertThat(result.err()).startsWith("Invalid value for option '--")
                    .contains("but was '" + args.getLast().replace("TAGGED,", "")).doesNotContain("\tat ");
        }
    }

    @Test
    void aMissingLibraryIsSaid() {
        Result result = run(Map.of("JFABRIC_LIBRARY", "/nowhere/libfabric.so.1"), "--json");
        assertThat(result.status()).isEqualTo(1);
        Map<?, ?> json = (Map<?, ?>) JsonReader.read(result.out());
        assertThat(json.get("library")).isNull();
        assertThat(json.get("checks").toString()).contains("/nowhere/libfabric.so.1");
    }

    @Test
    void aWrongCommandLineIsNoIllness() {
        assertThat(run(Map.of(), "--nonsense").status()).isEqualTo(2);
    }
}
