// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An idle service takes whatever fits into the memory it may use, and says of what never will that it is too long. */
@Timeout(60)
class LargeBytesTest {
    private static final int SERVICE = 5;
    /** Of one message, in any case. */
    private static final int SHORT = 4000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    private static void answers(Caller caller, int length) throws Exception {
        assertThat(caller.call(new byte[length]).get(20, TimeUnit.SECONDS)).hasSize(1);
    }

    private static void isTooLong(Caller caller, int length, int most) {
        assertThatThrownBy(() -> caller.call(new byte[length]).get(20, TimeUnit.SECONDS)).cause()
                .isInstanceOfSatisfying(FabricException.class,
                        why -> assertThat(why.error()).isEqualTo(FabricError.EMSGSIZE))
                .hasMessageContaining(" " + length + " bytes").hasMessageContaining(" " + most + ":")
                .hasMessageContaining("withLargestRequest").hasMessageContaining("withLargeBytes");
    }

    @ParameterizedTest
    @MethodSource("providers")
    void sizesAroundTheLimit(Providers.Choice choice) throws Exception {
        for (int most : new int[] {65_000, 100_000, 1 << 20}) {
            try (Nodes nodes = Nodes.open(choice);
                    Service service = Service.open(nodes.b, SERVICE, call -> call.answer(new byte[1]),
                            ServiceOptions.DEFAULT.withLargeBytes(most));
                    Caller caller = Caller.open(nodes.toB, SERVICE)) {
                for (int round = 0; round < 2; round++) {
                    for (int length : new int[] {SHORT, most / 2 + 5000, most - 1, most}) {
                        answers(caller, length);
                    }
                    isTooLong(caller, most + 1, most);
                    isTooLong(caller, 20 << 20, most);
                }
                assertThat(service.refused()).isZero();
            }
        }
    }

    /** The smaller limit counts; what is not large needs none of that memory. */
    @ParameterizedTest
    @MethodSource("providers")
    void theOtherLimits(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, call -> call.answer(new byte[1]),
                        ServiceOptions.DEFAULT.withLargeBytes(0));
                Service _ = Service.open(nodes.b, SERVICE + 1, call -> call.answer(new byte[1]),
                        ServiceOptions.DEFAULT.withLargestRequest(1000).withLargeBytes(100_000));
                Caller caller = Caller.open(nodes.toB, SERVICE);
                Caller other = Caller.open(nodes.toB, SERVICE + 1)) {
            answers(caller, SHORT);
            assertThatThrownBy(() -> answers(caller, 50_000)).cause().isInstanceOfSatisfying(FabricException.class,
                    why -> assertThat(why.error()).isEqualTo(FabricError.EMSGSIZE));
            answers(other, 1000);
            isTooLong(other, 1001, 1000);
        }
    }
}
