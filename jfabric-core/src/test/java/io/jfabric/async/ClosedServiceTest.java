// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server with two services closes one of them: its callers hear that it was there, and not that they are wrong. */
@Timeout(60)
class ClosedServiceTest {
    private static final CallHandler ECHO = CallHandler.of(request -> request);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    private static void fails(Caller caller, FabricError error, String text) {
        assertThatThrownBy(() -> caller.call(new byte[1]).get(20, TimeUnit.SECONDS)).cause()
                .isInstanceOfSatisfying(FabricException.class, why -> assertThat(why.error()).isEqualTo(error))
                .hasMessageContaining(text).matches(Caller::wasNotHandled);
    }

    /** What it hears may be from before: that there was none yet, or that what it had was closed. */
    private static FabricError failure(Caller caller) {
        try {
            caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return ((FabricException) e.getCause()).error();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void isBusyUntilItIsBack(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, 1, ECHO);
                Caller caller = Caller.open(nodes.toB, 2)) {
            fails(caller, FabricError.ECONNREFUSED, "there is no service 2");
            for (int round = 0; round < 2; round++) {
                Service two = Service.open(nodes.b, 2, ECHO);
                Waits.until("it is found", () -> failure(caller) == null);
                if (round == 0) {
                    assertThat(two.drain(Duration.ofSeconds(10))).isTrue();
                } else {
                    two.close();
                }
                Waits.until("it has heard of that", () -> failure(caller) != FabricError.ECONNRESET);
                fails(caller, FabricError.EBUSY, "closed");
                try (Caller another = Caller.open(nodes.toB, 2)) {
                    fails(another, FabricError.EBUSY, "closed");
                }
            }
            try (Caller wrong = Caller.open(nodes.toB, 3)) {
                fails(wrong, FabricError.ECONNREFUSED, "there is no service 3");
            }
        }
    }
}
