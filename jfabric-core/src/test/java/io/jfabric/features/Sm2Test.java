// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Providers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the sm2 provider of libfabric 2 does otherwise than others. */
@Timeout(200)
class Sm2Test {
    @Test
    void immediateDataAreSaidToBeThere() {
        Providers.Choice choice = new Providers.Choice("sm2", EndpointType.RDM);
        assumeTrue(choice.isOffered(), "no sm2 here");
        Map<Feature, Trials.Outcome> outcomes = Trials.run(choice, List.of(Feature.DATA, Feature.TAGGED), List.of());
        assertThat(outcomes).allSatisfy((feature, outcome) ->
                assertThat(outcome.result()).as(feature + ": " + outcome.why()).isEqualTo(Result.YES));
    }
}
