// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.Direction;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a buffer for many messages may be written beyond its end, no receive is one without being asked. */
class MultiReceiveAliasTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void anAliasReceivesAsTheEndpointMay(Providers.Choice choice) {
        Flags<OperationFlag> multi = Flags.of(OperationFlag.MULTI_RECV);
        try (Pair pair = Pair.open(choice)) {
            try {
                pair.a.endpoint.setOperationFlags(Direction.RECEIVE, multi);
            } catch (FabricException unsafe) {
                assertThatThrownBy(() -> pair.b.endpoint.alias(Direction.RECEIVE, multi))
                        .isInstanceOfSatisfying(FabricException.class, e -> {
                            if (unsafe.error() == FabricError.EOPNOTSUPP) {
                                assertThat(e.error()).isEqualTo(unsafe.error());
                            }
                        });
            }
        }
    }
}
