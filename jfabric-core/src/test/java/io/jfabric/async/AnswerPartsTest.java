// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static io.jfabric.async.CallPartsTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers in several parts: the caller gets one, with the bytes of all of them in their order. */
@Timeout(60)
class AnswerPartsTest {
    private static final int SERVICE = 5;
    private static final int LARGEST = (4 << 20) + 1;
    private static final int HEADER = 7;
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final ServiceOptions DIRECT = ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT)
            .withLargestRequest(LARGEST);
    private static final int LONG = 300_000;
    /** One below, at and one above what shares a message, fits into one, or is sent at once. */
    private static final int[] LIMITS = {8, 1024, 4032, 16_384, 64 << 10};

    /** That many parts of that many bytes in all, the first a header, and not next to each other. */
    private static List<MemorySegment> parts(MemorySegment from, int size, int count) {
        List<MemorySegment> parts = new ArrayList<>();
        long end = from.byteSize();
        int done = 0;
        for (int i = 1; i <= count; i++) {
            int until = i == count ? size : Math.min(size, HEADER * i);
            end -= until - done;
            parts.add(from.asSlice(end, until - done));
            end -= 1;
            done = until;
        }
        return parts;
    }

    /** To where the caller receives it early, where it makes room, and into its bytes. */
    @ParameterizedTest
    @MethodSource("io.jfabric.async.CallPartsMemoryTest#providers")
    void ofAnyLengthAndNumber(Providers.Choice choice) throws Exception {
        AtomicReference<List<MemorySegment>> next = new AtomicReference<>();
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, call -> call.answer(next.get()), DIRECT);
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            int most = (int) nodes.b.info().tx().iovLimit();
            MemorySegment from = Bytes.pattern(nodes.b.memory(), LARGEST + 128, 1);
            MemorySegment room = nodes.a.allocate(LARGEST);
            for (int limit : LIMITS) {
                for (int size = limit - 1; size <= limit + 1; size++) {
                    for (int count : new int[] {1, 2, most, most + 1, 50}) {
                        next.set(parts(from, size, count));
                        is(next.get(), caller.call(nodes.a.allocate(1), room, DEADLINE));
                    }
                    is(next.get(), caller.call(new byte[1], DEADLINE).thenApply(MemorySegment::ofArray));
                }
            }
            for (List<MemorySegment> some : List.of(parts(from, LARGEST, 2), parts(from, LARGEST, most + 1),
                    List.<MemorySegment>of(), List.of(MemorySegment.NULL, nodes.b.allocate(0)),
                    List.of(MemorySegment.ofArray(new byte[] {5}), MemorySegment.NULL, from.asSlice(0, LONG)))) {
                next.set(some);
                is(some, caller.call(nodes.a.allocate(1), room, DEADLINE));
            }
        }
    }

    private static void is(List<MemorySegment> parts, CompletableFuture<MemorySegment> answer) throws Exception {
        MemorySegment expected = CallPartsTest.joined(parts);
        MemorySegment got = get(answer);
        assertThat(got.byteSize()).isEqualTo(expected.byteSize());
        assertThat(got.mismatch(expected)).as("%s parts of %s bytes", parts.size(), got.byteSize()).isEqualTo(-1);
    }

    /** A short request is where a short answer is written, and a long one may begin with it. */
    @ParameterizedTest
    @MethodSource("io.jfabric.async.CallPartsMemoryTest#providers")
    void ofPartsOfTheRequest(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment more = Bytes.pattern(nodes.b.memory(), LONG, 1);
            Function<MemorySegment, List<MemorySegment>> parts = request -> List.of(
                    request.asSlice(request.byteSize() / 2), MemorySegment.ofArray(new byte[HEADER]), request);
            Function<MemorySegment, List<MemorySegment>> longer = request -> List.of(request, more, request);
            for (int size : new int[] {10, 100, 1000, 4000, 100_000}) {
                Function<MemorySegment, List<MemorySegment>> these = size == 100 ? longer : parts;
                try (Service _ = Service.open(nodes.b, SERVICE, call -> call.answer(these.apply(call.request())),
                        DIRECT); Caller caller = Caller.open(nodes.toB, SERVICE)) {
                    MemorySegment request = Bytes.pattern(nodes.a.memory(), size, 2);
                    // the second time it is awaited
                    for (int i = 0; i < 2; i++) {
                        is(these.apply(request), caller.call(request, nodes.a.allocate(LONG + 2 * size), DEADLINE));
                    }
                }
            }
        }
    }

    /** And the call can still be answered. */
    @ParameterizedTest
    @MethodSource("io.jfabric.async.CallPartsMemoryTest#providers")
    void wrongPartsAreNamed(Providers.Choice choice) throws Exception {
        CompletableFuture<Call> asked = new CompletableFuture<>();
        try (Nodes nodes = Nodes.open(choice); Arena confined = Arena.ofConfined();
                Service _ = Service.open(nodes.b, SERVICE, asked::complete);
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            CompletableFuture<byte[]> answer = caller.call(new byte[1], DEADLINE);
            Call call = get(asked);
            MemorySegment good = nodes.b.allocate(8);
            MemorySegment own = confined.allocate(8);
            Arena closed = Arena.ofShared();
            MemorySegment freed = closed.allocate(8);
            closed.close();
            MemorySegment half = MemorySegment.NULL.reinterpret(1L << 62);
            String second = "the part at index 1 of 2";
            isRefused(call, null, NullPointerException.class, "the list of the parts of the answer is null");
            isRefused(call, Arrays.asList(good, null), NullPointerException.class, second
                    + " is null; for an empty answer use an empty list");
            isRefused(call, List.of(good, freed), IllegalStateException.class, second);
            isRefused(call, List.of(half, half), IllegalArgumentException.class,
                    "the parts of the answer have more than " + Long.MAX_VALUE + " bytes together");
            CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(() ->
                    isRefused(call, List.of(good, own), WrongThreadException.class, second));
            get(elsewhere);
            call.answer(List.of(own, good));
            assertThat(get(answer)).hasSize(16);
            isRefused(call, List.of(good, good), IllegalStateException.class, "already been answered");
        }
    }

    private static void isRefused(Call call, List<MemorySegment> parts, Class<? extends Exception> type, String text) {
        assertThatThrownBy(() -> call.answer(parts)).isInstanceOf(type).hasMessageStartingWith("Call.answer: ")
                .hasMessageContaining(text);
    }

    /** A long one is not copied, but for what of it is on the heap. */
    @ParameterizedTest
    @MethodSource("io.jfabric.async.CallPartsMemoryTest#direct")
    void theMemoryIsUsedUntilItHasLeft(Providers.Choice choice) throws Exception {
        CompletableFuture<Call> asked = new CompletableFuture<>();
        CompletableFuture<CompletableFuture<Void>> copied = new CompletableFuture<>();
        MemorySegment heap = MemorySegment.ofArray(new byte[LONG]);
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress());
                Service _ = Service.open(nodes.b, SERVICE, call -> {
                    if (!asked.complete(call)) {
                        copied.complete(call.answer(List.of(heap.asSlice(0, 1), heap)));
                    }
                }, DIRECT); Caller caller = Caller.open(nodes.toB, SERVICE)) {
            MemorySegment header = Bytes.pattern(nodes.b.memory(), HEADER, 1);
            MemorySegment body = Bytes.pattern(nodes.b.memory(), LONG, 2);
            MemorySegment onHeap = MemorySegment.ofArray(new byte[HEADER]).fill((byte) 5);
            List<MemorySegment> list = new ArrayList<>(List.of(header, body, onHeap));
            CompletableFuture<byte[]> first = caller.call(new byte[1], DEADLINE);
            nodes.drive(asked);
            CompletableFuture<Void> sent = asked.join().answer(list);
            list.clear();
            // nobody makes progress
            assertThat(sent).isNotDone();
            Bytes.fill(body, 3);
            nodes.drive(first);
            assertThat(MemorySegment.ofArray(get(first)).mismatch(CallPartsTest.joined(List.of(header, body, onHeap))))
                    .isEqualTo(-1);
            nodes.drive(sent);
            assertThat(sent).isCompleted();
            CompletableFuture<byte[]> second = caller.call(new byte[1], DEADLINE);
            nodes.drive(copied);
            assertThat(copied.join()).isCompleted();
            heap.fill((byte) 1);
            nodes.drive(second);
            assertThat(get(second)).containsOnly(0);
        }
    }
}
