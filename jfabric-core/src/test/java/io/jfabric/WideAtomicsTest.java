// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.MrMode;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomics of the widest integers, on memory that begins at another address than a multiple of 16. */
@Timeout(60)
class WideAtomicsTest {
    @ParameterizedTest
    @ValueSource(strings = {"offsets", "addresses"})
    void theTargetLives(String regions) {
        Providers.SOCKETS.assumeOffered();
        ChildJvm.Result result = SharedJvm.run(Adder.class, regions);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("all of them");
    }

    /** Does whatever is offered. */
    public static final class Adder {
        private static final Datatype[] WIDE = {Datatype.INT128, Datatype.UINT128};

        private Adder() {
        }

        public static void main(String[] args) {
            boolean hasAddresses = args[0].equals("addresses");
            try (Pair pair = Pair.open(Providers.SOCKETS, hints -> {
                hints.capabilities(Capability.MSG, Capability.RMA, Capability.ATOMIC);
                if (hasAddresses) {
                    hints.domain().mrMode(MrMode.BASIC);
                }
            }).connect()) {
                if (pair.info.domain().mrMode().contains(MrMode.BASIC) != hasAddresses) {
                    throw new AssertionError(pair.info.domain().mrMode());
                }
                for (int shift : new int[] {0, 8, 1}) {
                    add(pair, shift, hasAddresses);
                }
            }
            System.out.println("all of them");
        }

        private static void add(Pair pair, int shift, boolean hasAddresses) {
            MemorySegment memory = pair.domain.openArena().allocate(64, 16).asSlice(shift, 32);
            RemoteRegion target = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE).remote();
            MemorySegment operand = pair.domain.openArena().allocate(16, 16).fill((byte) 1);
            for (Datatype type : WIDE) {
                memory.fill((byte) 2);
                try {
                    pair.post(() -> pair.a.endpoint.atomics().apply(operand, pair.a.peer, target, 0, type,
                            AtomicOp.SUM, 1));
                    pair.await(pair.a, 1);
                    check(memory, 3, type);
                } catch (FabricException | IllegalArgumentException refused) {
                    // builds for other compilers lack the types
                    if (!refused.getMessage().contains("FI_EOPNOTSUPP") && !(hasAddresses && shift != 0
                            && refused.getMessage().contains("must be at multiples of 16"))) {
                        throw refused;
                    }
                    check(memory, 2, type);
                }
            }
        }

        private static void check(MemorySegment memory, int each, Datatype type) {
            byte[] bytes = memory.asSlice(0, 16).toArray(ValueLayout.JAVA_BYTE);
            byte[] expected = new byte[16];
            Arrays.fill(expected, (byte) each);
            if (!Arrays.equals(bytes, expected)) {
                throw new AssertionError(type + ": " + Arrays.toString(bytes));
            }
        }
    }
}
