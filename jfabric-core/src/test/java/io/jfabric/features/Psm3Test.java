// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.testkit.Providers;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The psm3 provider on one machine, where libfabric has it: {@code PSM3_DEVICES=self,shm} tells it to do without a
 * device, and scripts/test-psm3 sets that. Its endpoints meet across processes only.
 */
@Timeout(600)
class Psm3Test {
    private static final Set<Feature> MISSING = EnumSet.of(Feature.BLOCKING, Feature.TWO_ENDPOINTS);
    private static Map<Feature, Trials.Outcome> outcomes;

    @BeforeAll
    static void tryAll() {
        assumeTrue(Fabric.isAvailable(), () -> "libfabric is not available: " + Fabric.unavailabilityCause());
        assumeTrue(System.getenv("PSM3_DEVICES") != null && Providers.PSM3.isOffered(), "no psm3 here");
        outcomes = Trials.run(Providers.PSM3, List.copyOf(EnumSet.complementOf(EnumSet.copyOf(MISSING))), List.of());
    }

    @ParameterizedTest
    @EnumSource(value = Feature.class, mode = EnumSource.Mode.EXCLUDE, names = {"BLOCKING", "TWO_ENDPOINTS"})
    void works(Feature feature) {
        assertThat(outcomes.get(feature).result()).as(outcomes.get(feature).why()).isEqualTo(Result.YES);
    }

    @Test
    void blocksOrSaysThatItCannot() {
        Trials.Outcome outcome =
                Trials.run(Providers.PSM3, List.of(Feature.BLOCKING), List.of()).get(Feature.BLOCKING);
        // later releases have no wait objects on one machine
        if (outcome.result() != Result.YES) {
            assertThat(outcome.result()).as(outcome.why()).isEqualTo(Result.NONE);
            assertThat(outcome.why()).contains("fi_cq_sread", "FI_ENOSYS");
        }
    }

    @Test
    void demandsContextsOfItsOwn() {
        try (FabricInfoList infos = Providers.PSM3.find(hints -> { })) {
            assertThat(infos.first().mode().contains(Mode.CONTEXT)
                    || infos.first().mode().contains(Mode.CONTEXT2)).isTrue();
        }
        try (Hints none = Hints.empty().provider("psm3").capabilities(Capability.MSG)) {
            assertThatThrownBy(() -> Fabric.getInfo(none).close()).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ENODATA");
        }
    }

    /** It takes SIGSEGV for moments, while it maps the memory of a peer. */
    @Test
    void nullPointersAreStillTheJvms() {
        List<Feature> some = List.of(Feature.MESSAGES, Feature.WRITE, Feature.ATOMICS);
        List<String> flags = List.of("-D" + NullPointers.PROPERTY + "=true", "-XX:-OmitStackTraceInFastThrow");
        for (int i = 0; i < 2; i++) {
            assertThat(Trials.run(Providers.PSM3, some, flags).values())
                    .allSatisfy(outcome -> assertThat(outcome.result()).as(outcome.why()).isEqualTo(Result.YES));
        }
    }
}
