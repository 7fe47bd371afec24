// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Endpoints at 0.0.0.0, whose connections break each other when both sides begin them, or that get no answer. */
@Timeout(60)
@Tag("long")
class WildcardTest {
    private static final String WARNING = "give it an address of this machine";

    static Stream<Providers.Choice> choices() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM, Providers.RXD,
                new Providers.Choice("net", EndpointType.RDM));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void isWarnedOf(Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(Opener.class, choice.provider()).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        String[] parts = result.output().split(Opener.BETWEEN, -1);
        assertThat(parts).hasSize(2);
        assertThat(parts[0]).as("an address of the machine").doesNotContain(WARNING);
        assertThat(parts[1].lines().filter(line -> line.contains(WARNING))).as(parts[1]).hasSize(1);
    }

    /** Opens an endpoint at an address, then two at none. */
    public static final class Opener {
        private static final String BETWEEN = "now anywhere";

        private Opener() {
        }

        public static void main(String[] args) {
            open(args[0], "127.0.0.1");
            System.out.println(BETWEEN);
            open(args[0], "0.0.0.0");
            open(args[0], "0.0.0.0");
        }

        private static void open(String provider, String node) {
            try (Hints hints = new Providers.Choice(provider, EndpointType.RDM).hints();
                 FabricInfoList infos = Fabric.getInfo(node, null, Set.of(GetInfoFlag.SOURCE), hints);
                 Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
                domain.openEndpoint(infos.first()).bind(domain.openAddressVector())
                        .bind(domain.openCompletionQueue(CompletionFormat.MSG), BindFlag.TRANSMIT, BindFlag.RECV)
                        .enable();
            }
        }
    }
}
