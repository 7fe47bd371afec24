// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.EndpointType;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public operation of every object around an enabled endpoint, on every provider and type that libfabric offers
 * here, in a JVM of its own: each works or throws an exception that says why not, and the JVM survives them all, also
 * where the provider has no table or no entry for the operation.
 */
@Timeout(60)
class OpsWalkTest {
    private static final String NULL_WAIT = "libfabric follows a null wait object whatever the command is";
    /** What crashes or hangs inside libfabric itself, whoever calls it. */
    static final List<Known> KNOWN = List.of(
            new Known("", "CompletionQueue.escapeHatch().control(", NULL_WAIT),
            new Known("", "CompletionQueue.escapeHatch().getValue(", NULL_WAIT),
            new Known("", "CompletionQueue.escapeHatch().setValue(", NULL_WAIT),
            new Known("", "Counter.escapeHatch().control(", NULL_WAIT),
            new Known("", "Counter.escapeHatch().getValue(", NULL_WAIT),
            new Known("", "Counter.escapeHatch().setValue(", NULL_WAIT));

    /** The operation is the beginning of {@code Class.method(Parameter, ...)}; "" as provider stands for all. */
    record Known(String provider, String operation, String reason) {
        boolean covers(Providers.Choice choice, String signature) {
            return choice.provider().startsWith(provider) && signature.startsWith(operation);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void everyOperationWorksOrThrows(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(Walk.class, choice.provider(), choice.type().name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("WALKED ");
        long worked = result.output().lines().filter(line -> line.startsWith("works ")).count();
        // reading names, counters and queues at least
        assertThat(worked).as(result.output()).isGreaterThan(60);
    }

    /** The child. */
    static final class Walk {
        private Walk() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = Providers.all().filter(c -> c.provider().equals(args[0])
                    && c.type().name().equals(args[1])).findFirst().orElseThrow();
            int count = choice.type() == EndpointType.MSG ? connected(choice) : connectionless(choice);
            System.out.println("WALKED " + count);
        }

        private static int connectionless(Providers.Choice choice) {
            try (Pair pair = Pair.open(choice)) {
                if (choice.type() == EndpointType.RDM) {
                    // rxd of 1.17 crashes when a fetching atomic is the first operation to a peer
                    pair.connect();
                }
                OpsWalker walker = new OpsWalker(choice, pair.a, pair.info, pair::progress);
                return walker.walk(List.of());
            }
        }

        private static int connected(Providers.Choice choice) {
            try (Connected c = new Connected(choice)) {
                Side[] sides = c.connect(endpoint -> { });
                OpsWalker walker = new OpsWalker(choice, sides[0], c.info(), () -> {
                    sides[0].poll();
                    sides[1].poll();
                });
                return walker.walk(List.of(c.listener));
            }
        }
    }
}
