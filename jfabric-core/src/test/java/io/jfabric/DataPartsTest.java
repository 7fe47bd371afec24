// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.info.MrMode;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of buffers that go with immediate data, taken as they are and by providers that want them registered. */
@Timeout(60)
class DataPartsTest {
    private static final int SIZE = 100;
    private static final int OFFSET = 24;
    private static final int LENGTH = 40;
    private static final long DATA = 0x7654_3210L;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment out = Bytes.pattern(arena, SIZE, 7);
    private final MemorySegment part = Bytes.pattern(arena, SIZE, 7).asSlice(OFFSET, LENGTH);

    static Stream<Arguments> providers() {
        return Providers.rdm().filter(choice -> choice.isOffered(DataPartsTest::capabilities))
                .flatMap(choice -> Stream.of(Arguments.of(choice, false), Arguments.of(choice, true)));
    }

    private static void capabilities(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA);
    }

    private static Pair open(Providers.Choice choice, boolean registered) {
        return Pair.openChanged(choice, DataPartsTest::capabilities, info -> {
            if (registered) {
                info.domain().mrMode(info.domain().mrMode().with(MrMode.LOCAL));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void messages(Providers.Choice choice, boolean registered) {
        try (Pair pair = open(choice, registered)) {
            Messages from = pair.a.endpoint.messages();
            Messages to = pair.b.endpoint.messages();
            MemorySegment in = arena.allocate(SIZE);
            pair.post(() -> to.receive(in, Address.ANY, 2));
            pair.post(() -> from.sendData(out, OFFSET, LENGTH, DATA, pair.a.peer, 1));
            pair.await(pair.a, 1);
            hasCome(pair.await(pair.b, 2), DATA, in);

            pair.post(() -> to.receive(in, Address.ANY, 3));
            pair.post(() -> from.injectData(out, OFFSET, LENGTH, DATA + 1, pair.a.peer));
            out.fill((byte) 0);
            hasCome(pair.await(pair.b, 3), DATA + 1, in);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void taggedMessages(Providers.Choice choice, boolean registered) {
        try (Pair pair = open(choice, registered)) {
            TaggedMessages from = pair.a.endpoint.tagged();
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment in = arena.allocate(SIZE);
            pair.post(() -> to.receive(in, Address.ANY, 5, 0, 2));
            pair.post(() -> from.sendData(out, OFFSET, LENGTH, DATA, pair.a.peer, 5, 1));
            pair.await(pair.a, 1);
            hasCome(pair.await(pair.b, 2), DATA, in);

            pair.post(() -> to.receive(in, Address.ANY, 6, 0, 3));
            pair.post(() -> from.injectData(out, OFFSET, LENGTH, DATA + 1, pair.a.peer, 6));
            out.fill((byte) 0);
            hasCome(pair.await(pair.b, 3), DATA + 1, in);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void writes(Providers.Choice choice, boolean registered) {
        try (Pair pair = open(choice, registered)) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion region = RemoteRegion.of(pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE).remote()
                    .toBytes());
            Rma rma = pair.a.endpoint.rma();
            pair.post(() -> rma.writeData(out, OFFSET, LENGTH, DATA, pair.a.peer, region, 8, 1));
            pair.await(pair.a, 1);
            wasWritten(pair, DATA, memory);

            pair.post(() -> rma.injectData(out, OFFSET, LENGTH, DATA + 1, pair.a.peer, region, 8));
            out.fill((byte) 0);
            wasWritten(pair, DATA + 1, memory);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void writesOfWhatIsNotInTheBufferAreRefused(Providers.Choice choice, boolean registered) {
        try (Pair pair = open(choice, registered)) {
            RemoteRegion region = pair.b.endpoint.register(arena.allocate(2 * SIZE), MemoryAccess.REMOTE_WRITE)
                    .remote();
            Rma rma = pair.a.endpoint.rma();
            for (long[] wrong : new long[][] {{0, SIZE + 1}, {SIZE, 1}, {-1, 4}, {4, -1}, {8, Long.MAX_VALUE}}) {
                assertThatThrownBy(() -> rma.writeData(out, wrong[0], wrong[1], 1, pair.a.peer, region, 0, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("fi_writedata: ");
                assertThatThrownBy(() -> rma.injectData(out, wrong[0], wrong[1], 1, pair.a.peer, region, 0))
                        .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("fi_inject_writedata: ");
            }
        }
    }

    /** Clears the buffer for what comes next. */
    private void hasCome(Done done, long data, MemorySegment in) {
        assertThat(done.data()).isEqualTo(data);
        assertThat(done.length()).isEqualTo(LENGTH);
        assertThat(in.asSlice(0, LENGTH).mismatch(part)).isEqualTo(-1);
        in.fill((byte) 0);
    }

    /** Clears the memory for what comes next. */
    private void wasWritten(Pair pair, long data, MemorySegment memory) {
        Done done = pair.awaitAny(pair.b, each -> each.is(CompletionFlag.REMOTE_CQ_DATA));
        assertThat(done.data()).isEqualTo(data);
        assertThat(memory.asSlice(8, LENGTH).mismatch(part)).isEqualTo(-1);
        assertThat(memory.asSlice(8 + LENGTH).mismatch(arena.allocate(SIZE - 8 - LENGTH))).isEqualTo(-1);
        memory.fill((byte) 0);
    }
}
