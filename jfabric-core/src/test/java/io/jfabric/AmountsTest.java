// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** C says "no limit" by the largest unsigned number, which must not be less than anything in Java. */
class AmountsTest {
    static Stream<Providers.Choice> unlimited() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM);
    }

    @ParameterizedTest
    @MethodSource("unlimited")
    void noLimitIsMoreThanAnyLength(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            FabricInfo info = infos.first();
            assertThat(info.endpoint().maxMessageSize()).isEqualTo(Long.MAX_VALUE);
            assertThat(Math.min(5, info.endpoint().maxMessageSize())).isEqualTo(5);
            assertThat(info.toString()).as("what C prints").contains("max_msg_size: 18446744073709551615");
            // as it is read it can be set, and opened
            info.endpoint().maxMessageSize(info.endpoint().maxMessageSize());
            try (Fabric fabric = Fabric.open(info); Domain domain = fabric.openDomain(info);
                 Endpoint endpoint = domain.openEndpoint(info)) {
                assertThat(endpoint.info().endpoint().maxMessageSize()).isEqualTo(Long.MAX_VALUE);
            }
        }
    }

    @Test
    void everyAmountIsReadSo() {
        try (Hints hints = Hints.create()) {
            EndpointAttributes endpoint = hints.endpoint().maxMessageSize(-1).messagePrefixSize(-1).maxOrderRawSize(-1)
                    .maxOrderWarSize(Long.MIN_VALUE).maxOrderWawSize(-1);
            hints.tx().injectSize(-1).size(-1).iovLimit(-1).rmaIovLimit(-1);
            hints.rx().totalBufferedRecv(-1).size(-1).iovLimit(-1);
            hints.domain().limits().mrKeySize(-1).cqDataSize(-1).cqCount(-1).endpointCount(-1).txContextCount(-1)
                    .rxContextCount(-1).mrCount(-1).mrIovLimit(-1).maxErrorData(-1);
            assertThat(Stream.of(endpoint.maxMessageSize(), endpoint.messagePrefixSize(), endpoint.maxOrderRawSize(),
                    endpoint.maxOrderWarSize(), endpoint.maxOrderWawSize(), hints.tx().injectSize(), hints.tx().size(),
                    hints.tx().iovLimit(), hints.tx().rmaIovLimit(), hints.rx().totalBufferedRecv(), hints.rx().size(),
                    hints.rx().iovLimit(), hints.domain().limits().mrKeySize(), hints.domain().limits().cqDataSize(),
                    hints.domain().limits().cqCount(), hints.domain().limits().endpointCount(),
                    hints.domain().limits().txContextCount(), hints.domain().limits().rxContextCount(),
                    hints.domain().limits().mrCount(), hints.domain().limits().mrIovLimit(),
                    hints.domain().limits().maxErrorData())).containsOnly(Long.MAX_VALUE);
            // this is no amount
            assertThat(endpoint.txContextCount(EndpointAttributes.SHARED_CONTEXT).txContextCount()).isEqualTo(-1);
        }
    }
}
