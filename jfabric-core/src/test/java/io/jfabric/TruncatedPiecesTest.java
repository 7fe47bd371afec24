// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On rxm a long message of several buffers ends, too, if its receive does before the last of them begins. */
@Timeout(90)
class TruncatedPiecesTest {
    @ParameterizedTest
    @ValueSource(strings = {"10000 4", "16384 2", "8200 2"})
    void aLongMessageOfSeveralBuffersEnds(String pieces) {
        Providers.RXM.assumeOffered();
        String[] numbers = pieces.split(" ");
        ChildJvm.Result result = SharedJvm.run(TruncatedPieces.class, Providers.RXM.provider(), numbers[0], numbers[1]);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("closed");
    }

    /** Nothing would tell when the copy can go. */
    @Test
    void oneThatIsNotReportedIsRefused() {
        Providers.RXM.assumeOffered();
        try (FabricInfoList infos = Providers.RXM.find(hints -> { }); Fabric fabric = Fabric.open(infos.first())) {
            Domain domain = fabric.openDomain(infos.first());
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
            AddressVector addresses = domain.openAddressVector();
            Endpoint endpoint = domain.openEndpoint(infos.first()).bind(addresses)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.SELECTIVE_COMPLETION).bind(queue, BindFlag.RECV).enable();
            MemorySegment buffer = Arena.ofAuto().allocate(10_000);
            MessageRequest request = endpoint.messages().sendRequest().buffers(buffer, buffer)
                    .peer(addresses.insert(endpoint.address()));
            assertThatThrownBy(() -> request.post(1)).isInstanceOfSatisfying(FabricException.class,
                    e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP)).hasMessageContaining("one buffer");
        }
    }
}
