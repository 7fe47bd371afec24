// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
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

    /** The provider has one minimum for both; what is posted relies on it. */
    @Test
    void anAliasHasTheMinimumOfItsEndpoint() {
        Providers.SOCKETS.assumeOffered();
        for (boolean first : new boolean[] {true, false}) {
            try (Pair pair = Pair.open(Providers.SOCKETS)) {
                Endpoint alias = pair.b.endpoint.alias(Direction.RECEIVE, Flags.of(OperationFlag.COMPLETION));
                Endpoint sets = first ? pair.b.endpoint : alias;
                Endpoint receives = first ? alias : pair.b.endpoint;
                MemorySegment buffer = pair.domain.openArena().allocate(100);
                sets.setOption(EndpointOption.MIN_MULTI_RECV, 200L);
                assertThatThrownBy(() -> receives.messages().receiveMulti(buffer, Address.ANY, 1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("may have 200");
                sets.setOption(EndpointOption.MIN_MULTI_RECV, 64L);
                assertThat(receives.messages().receiveMulti(buffer, Address.ANY, 1)).isTrue();
                for (Endpoint endpoint : new Endpoint[] {sets, receives}) {
                    stays(() -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 1L));
                    stays(() -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 65L));
                    stays(() -> endpoint.setOption(EndpointOption.ofInt("own", EndpointOption.MIN_MULTI_RECV.code()),
                            1));
                    endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 64L);
                }
                pair.post(() -> pair.a.endpoint.messages().send(buffer.asSlice(0, 64), pair.a.peer, 2));
                assertThat(pair.await(pair.b, 1).is(CompletionFlag.MULTI_RECV)).isTrue();
            }
        }
    }

    private static void stays(ThrowingCallable set) {
        assertThatThrownBy(set).isInstanceOf(IllegalStateException.class).hasMessageContaining("at most 64 bytes");
    }

    @Test
    void contextsHaveMinimaOfTheirOwn() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first());
             ScalableEndpoint endpoint = domain.openScalableEndpoint(infos.first())) {
            Endpoint context = endpoint.receiveContext(0).setOption(EndpointOption.MIN_MULTI_RECV, 64L);
            assertThatThrownBy(() -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 1L))
                    .isInstanceOfSatisfying(FabricException.class,
                            e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP))
                    .hasMessageContaining("each receive context");
            assertThat(context.option(EndpointOption.MIN_MULTI_RECV)).isEqualTo(64);
        }
    }
}
