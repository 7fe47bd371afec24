// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Progress;
import io.jfabric.info.Threading;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link Progress#AUTO} of {@code ofi_rxm}: a thread of the provider serves atomics of others, whatever was edited in
 * the infos. Without that it crashes, or ends.
 */
@Timeout(60)
class ProgressThreadTest {
    @ParameterizedTest
    @ValueSource(strings = {"as offered", "endpoint by hand", "domain without locks"})
    void servesWhatNobodyPolls(String edited) {
        assumeTrue(Providers.RXM.isOffered(), "ofi_rxm is not offered");
        ChildJvm.Result result = SharedJvm.run(Scenario.class, edited);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SERVED");
    }

    /** The variable starts the thread where infos say nothing of it. */
    @ParameterizedTest
    @ValueSource(strings = {"by the variable", "by the variable, without locks"})
    void servesIfTheEnvironmentSaysSo(String edited) {
        assumeTrue(Providers.RXM.isOffered(), "ofi_rxm is not offered");
        ChildJvm.Result result = ChildJvm.of(Scenario.class, edited)
                .environment("FI_OFI_RXM_DATA_AUTO_PROGRESS", "Yes").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SERVED");
    }

    /** What a process of its own does. */
    static final class Scenario {
        private static final int ROUNDS = 2000;

        private Scenario() {
        }

        public static void main(String[] args) {
            try (FabricInfoList infos = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG,
                    Capability.RMA, Capability.ATOMIC).domain()
                    .dataProgress(args[0].startsWith("by the") ? Progress.MANUAL : Progress.AUTO));
                 FabricInfo ofDomain = infos.first().duplicate(); FabricInfo ofEndpoint = infos.first().duplicate();
                 Fabric fabric = Fabric.open(ofDomain); Arena arena = Arena.ofShared()) {
                switch (args[0]) {
                    case "endpoint by hand" -> ofEndpoint.domain().dataProgress(Progress.MANUAL);
                    case "domain without locks", "by the variable, without locks" ->
                        ofDomain.domain().threading(Threading.DOMAIN);
                    default -> { }
                }
                try (Domain domain = fabric.openDomain(ofDomain)) {
                    count(open(domain, ofEndpoint), open(domain, ofEndpoint), arena);
                }
            }
            System.out.println("SERVED");
        }

        private static Side open(Domain domain, FabricInfo info) {
            return Side.open(domain, info, CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                    .withWaitObject(WaitObject.NONE), endpoint -> { });
        }

        /** Nobody polls the target's queue. */
        private static void count(Side side, Side target, Arena arena) {
            long peer = side.addresses.insert(target.endpoint.address());
            MemorySegment counter = arena.allocate(ValueLayout.JAVA_LONG);
            RemoteRegion region = target.endpoint.register(counter, MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE).remote();
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
            MemorySegment before = arena.allocate(ValueLayout.JAVA_LONG);
            for (long i = 0; i < ROUNDS; i++) {
                until(side, () -> side.endpoint.atomics().fetchAndApply(one, before, peer, region, 0, Datatype.INT64,
                        AtomicOp.SUM, 1));
                until(side, () -> side.take(done -> done.context() == 1) != null);
                assertThat(before.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(i);
            }
        }

        private static void until(Side side, BooleanSupplier condition) {
            Waits.spin("the target does not answer", () -> {
                side.poll();
                return condition.getAsBoolean();
            });
        }
    }
}
