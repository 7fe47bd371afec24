// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** What thread dumps and logs call the threads of nodes. */
@Timeout(60)
class ThreadNamesTest {
    @FabricTest(providers = "tcp;ofi_rxm")
    void nodesAreNumberedWithoutGaps(NodePair nodes) {
        List<Long> numbers = Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> name.startsWith("jfabric-node-") && List.of(nodes.a, nodes.b).stream()
                        .anyMatch(node -> name.endsWith(" " + node.address())))
                .map(name -> Long.valueOf(name.substring("jfabric-node-".length(), name.indexOf(' '))))
                .sorted().toList();
        assertThat(numbers).hasSize(2);
        assertThat(numbers.get(1) - numbers.get(0)).isEqualTo(1);
    }

    @FabricTest(providers = "tcp;ofi_rxm")
    void callsHaveAName(NodePair nodes) {
        try (Service service = Service.open(nodes.b, 7, CallHandler.of(request -> Thread.currentThread().getName()
                .getBytes(StandardCharsets.UTF_8)));
                Caller caller = Caller.open(nodes.toB, 7)) {
            assertThat(new String(caller.call(new byte[1], Duration.ofSeconds(30)).join(), StandardCharsets.UTF_8))
                    .isEqualTo("jfabric-call");
            assertThat(service.isOpen()).isTrue();
        }
    }
}
