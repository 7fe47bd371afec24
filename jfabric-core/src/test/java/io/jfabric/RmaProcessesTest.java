// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** RMA and atomics on the memory of another process, which learns of it by immediate data. */
@Tag("long")
class RmaProcessesTest {
    private static final int SIZE = 1 << 20;
    private static final HexFormat HEX = HexFormat.of();

    static Stream<Providers.Choice> providers() {
        return Providers.rdm().filter(c -> c.isOffered(RmaProcessesTest::ask));
    }

    private static void ask(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.RMA, Capability.ATOMIC);
    }

    /** The target: arguments are provider and endpoint type, and the initiator's address as hexadecimal digits. */
    static final class Target {
        private Target() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.valueOf(args[1]));
            try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, RmaProcessesTest::ask)) {
                Side side = pair.b;
                side.addresses.insert(HEX.parseHex(args[2]));
                MemorySegment memory = arena.allocate(SIZE, 8);
                MemoryRegion region =
                        side.endpoint.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
                System.out.println("ready " + HEX.formatHex(side.endpoint.address().bytes()) + " "
                        + HEX.formatHex(region.remote().toBytes()));
                long data = pair.awaitAny(side, d -> d.is(CompletionFlag.REMOTE_CQ_DATA)).data();
                System.out.println("told " + data + " " + memory.get(ValueLayout.JAVA_LONG, SIZE - 8) + " "
                        + memory.get(ValueLayout.JAVA_LONG, 0));
                // what it was told last may still need an answer from here
                pair.progressFor(Duration.ofMillis(500));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void reachesTheMemoryOfAnotherProcess(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, RmaProcessesTest::ask);
             ChildJvm child = ChildJvm.of(Target.class, choice.provider(), choice.type().name(),
                     HEX.formatHex(pair.a.endpoint.address().bytes())).start()) {
            String[] ready = child.awaitLine(line -> line.startsWith("ready ")).split(" ");
            long peer = pair.a.addresses.insert(HEX.parseHex(ready[1]));
            RemoteRegion region = RemoteRegion.of(HEX.parseHex(ready[2]));
            assertThat(region.byteSize()).isEqualTo(SIZE);
            Rma rma = pair.a.endpoint.rma();
            MemorySegment out = arena.allocate(SIZE, 8);
            for (int i = 0; i < SIZE / 8; i++) {
                out.setAtIndex(ValueLayout.JAVA_LONG, i, i);
            }
            run(pair, 1, () -> rma.write(out, peer, region, 0, 1));
            MemorySegment in = arena.allocate(SIZE, 8);
            run(pair, 2, () -> rma.read(in, peer, region, 0, 2));
            assertThat(in.mismatch(out)).isEqualTo(-1);
            MemorySegment five = arena.allocateFrom(ValueLayout.JAVA_LONG, 5);
            MemorySegment before = arena.allocate(8, 8);
            // on rxd of 1.17 a fetch after these transfers never completes; AtomicsTest has it without them
            int fetches = choice.provider().contains("rxd") ? 0 : 10;
            for (int i = 0; i < fetches; i++) {
                run(pair, 3, () -> pair.a.endpoint.atomics().fetchAndApply(five, before, peer, region, 0,
                        Datatype.INT64, AtomicOp.SUM, 3));
                assertThat(before.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(5L * i);
            }
            MemorySegment last = arena.allocateFrom(ValueLayout.JAVA_LONG, 777);
            run(pair, 4, () -> rma.writeData(last, 99, peer, region, SIZE - 8, 4));
            assertThat(child.awaitLine(line -> line.startsWith("told "))).isEqualTo("told 99 777 " + 5 * fetches);
            assertThat(child.await().exitCode()).isZero();
        }
    }

    private static void run(Pair pair, long context, BooleanSupplier operation) {
        pair.post(operation);
        pair.await(pair.a, context);
    }
}
