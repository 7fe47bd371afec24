// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Some providers look for their connections in an address vector that nobody has bound. */
class NoVectorTest {
    /** In a process of its own, which it may take along. */
    static final class Closes {
        private Closes() {
        }

        public static void main(String... args) {
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.valueOf(args[1]));
            try (FabricInfoList infos = Fabric.getInfo(choice.hints())) {
                for (FabricInfo info : infos) {
                    try (Fabric fabric = Fabric.open(info); Domain domain = fabric.openDomain(info)) {
                        domain.openEndpoint(info).close();
                        // with its domain
                        domain.openEndpoint(info);
                    }
                }
            }
        }
    }

    static Stream<Providers.Choice> providers() {
        return Stream.concat(Providers.rdm(), Providers.offered(new Providers.Choice("net", EndpointType.RDM),
                new Providers.Choice("net", EndpointType.MSG), Providers.TCP_MSG));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anEndpointWithoutOneIsClosed(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(Closes.class, choice.provider(), choice.type().name());
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
