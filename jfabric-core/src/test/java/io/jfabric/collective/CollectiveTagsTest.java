// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.Received;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tagged messages between endpoints with and without {@code COLLECTIVE}: not every pair can have them everywhere. */
@Tag("long")
class CollectiveTagsTest {
    private static final String VARIABLE = "FI_OFI_RXM_ENABLE_DYN_RBUF";
    private static final String WARNING = "crashes one that has it";

    /** Sends a message; arguments: whether the sender has the capability, and whether the receiver has. */
    public static final class Exchange {
        private static final int BYTES = 9;

        public static void main(String[] args) throws Exception {
            try (Node from = open(Boolean.parseBoolean(args[0])); Node to = open(Boolean.parseBoolean(args[1]))) {
                MemorySegment in = to.allocate(BYTES);
                CompletableFuture<Received> received = to.receive(in, 5);
                // as a header of rxm's this leads to memory that is not there
                MemorySegment out = from.allocate(BYTES).fill((byte) 7);
                from.send(out, from.peer(to.address()), 5).get(20, TimeUnit.SECONDS);
                if (received.get(20, TimeUnit.SECONDS).length() != BYTES || in.mismatch(out) >= 0) {
                    throw new AssertionError("received " + in.get(ValueLayout.JAVA_BYTE, 0));
                }
                System.out.println("received");
            }
        }

        private static Node open(boolean collective) {
            try (FabricInfoList infos = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG,
                    Capability.TAGGED, collective ? Capability.COLLECTIVE : Capability.MSG))) {
                return Node.open(infos.first());
            }
        }
    }

    private static boolean isDangerous() {
        return Quirks.of(Providers.RXM.provider()).has(Quirk.TAGGED_WITHOUT_HEADER);
    }

    @ParameterizedTest
    @CsvSource({"true, true, true", "true, false, true", "false, false, false"})
    void whoeverHasTheCapabilityIsWarned(boolean from, boolean to, boolean warned) {
        ChildJvm.Result result = ChildJvm.of(Exchange.class, "" + from, "" + to).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("received");
        assertThat(result.output().lines().filter(line -> line.contains(WARNING) && line.contains(VARIABLE)))
                .as(result.output()).hasSize(warned && isDangerous() ? 1 : 0);
    }

    @Test
    void theVariableMendsIt() {
        ChildJvm.Result result = ChildJvm.of(Exchange.class, "false", "true").environment(VARIABLE, "0").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("received").doesNotContain(WARNING);
    }
}
