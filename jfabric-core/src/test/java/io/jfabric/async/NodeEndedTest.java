// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Node#ended}; LockRescueTest has the end of a node that cannot go on. */
@Timeout(60)
class NodeEndedTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void isDoneWhenItIsClosed(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            CompletableFuture<Void> ended;
            CompletableFuture<Void> copy;
            try (Node node = Node.open(infos.first())) {
                ended = node.ended();
                copy = ended.copy();
                assertThat(ended.complete(null) || ended.cancel(true)).isFalse();
                assertThatThrownBy(() -> ended.obtrudeValue(null)).hasMessageContaining("Node.ended");
                assertThat(copy.cancel(true)).isTrue();
                assertThat(node.ended()).isNotDone();
            }
            assertThat(ended.get(10, TimeUnit.SECONDS)).isNull();
        }
    }
}
