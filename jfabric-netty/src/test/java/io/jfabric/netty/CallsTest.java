// SPDX-License-Identifier: Apache-2.0
package io.jfabric.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.Service;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose requests and answers are Netty's buffers. */
@Timeout(90)
class CallsTest extends WithoutLeaks {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void requestsAndAnswersOfAllSizes(String provider) throws Exception {
        CallHandler twice = call -> {
            byte[] both = new byte[2 * call.bytes().length];
            System.arraycopy(call.bytes(), 0, both, 0, call.bytes().length);
            call.answer(both);
        };
        try (Two nodes = Two.open(provider); Service _ = Service.open(nodes.b(), 5, twice);
             Caller caller = Caller.open(nodes.toB(), 5)) {
            for (int size : new int[] {0, 1, 100, 20_000, 300_000}) {
                byte[] bytes = new byte[size];
                new Random(size).nextBytes(bytes);
                ByteBuf request = POOL.directBuffer(size + 8).writeLong(size).writeBytes(bytes).skipBytes(8);
                ByteBuf answer = POOL.directBuffer(2 * size + 8, 2 * size + 8).writeInt(42);
                CompletableFuture<Integer> called = size % 2 == 0 ? ByteBufs.call(caller, request, answer)
                        : ByteBufs.call(caller, request, answer, DEADLINE);
                assertThat(request.readerIndex()).isEqualTo(8);
                request.release();
                assertThat(soon(called)).isEqualTo(2 * size);
                assertThat(answer.readInt()).isEqualTo(42);
                assertThat(answer.readableBytes()).isEqualTo(2 * size);
                assertThat(ByteBufUtil.getBytes(answer, answer.readerIndex(), size)).isEqualTo(bytes);
                answer.release();
                gone(request, answer);
            }
        }
    }

    /** Of a header and what it is about; the handler has its own until the answer has left. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void answersInPieces(String provider) throws Exception {
        CallHandler answers = call -> {
            byte[] bytes = call.bytes();
            CompositeByteBuf both = POOL.compositeDirectBuffer().addComponents(true, text("header"),
                    POOL.directBuffer(1), POOL.directBuffer(bytes.length).writeBytes(bytes));
            call.answer(ByteBufs.pieces(both)).whenComplete((sent, failure) -> both.release());
        };
        try (Two nodes = Two.open(provider); Service _ = Service.open(nodes.b(), 5, answers);
             Caller caller = Caller.open(nodes.toB(), 5)) {
            for (int size : new int[] {0, 5_000, 300_000}) {
                byte[] bytes = new byte[size];
                new Random(size).nextBytes(bytes);
                byte[] answer = soon(caller.call(bytes, DEADLINE));
                assertThat(answer).startsWith("header".getBytes()).endsWith(bytes).hasSize("header".length() + size);
            }
        }
    }

    /** Short, in one message, and long; with a part that is empty, and more of them than a message may have. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void requestsInPieces(String provider) throws Exception {
        try (Two nodes = Two.open(provider); Service _ = Service.open(nodes.b(), 5, CallHandler.of(all -> all));
             Caller caller = Caller.open(nodes.toB(), 5)) {
            for (int size : new int[] {1, 5_000, 300_000}) {
                byte[] bytes = new byte[size];
                new Random(size).nextBytes(bytes);
                for (int parts : new int[] {1, 20}) {
                    CompositeByteBuf request = POOL.compositeDirectBuffer(64).addComponents(true, text("header"),
                            POOL.directBuffer(1));
                    for (int i = 0; i < parts; i++) {
                        request.addComponent(true, POOL.directBuffer(size).writeBytes(bytes));
                    }
                    byte[] sent = ByteBufUtil.getBytes(request);
                    ByteBuf answer = POOL.directBuffer(sent.length);
                    CompletableFuture<Integer> called = ByteBufs.call(caller, request, answer, DEADLINE);
                    request.release();
                    assertThat(soon(called)).isEqualTo(sent.length);
                    assertThat(ByteBufUtil.getBytes(answer)).isEqualTo(sent);
                    answer.release();
                    gone(request, answer);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void theAnswerMayFollowItsRequest(String provider) throws Exception {
        try (Two nodes = Two.open(provider);
             Service _ = Service.open(nodes.b(), 5, call -> call.answer("pong".getBytes(StandardCharsets.UTF_8)));
             Caller caller = Caller.open(nodes.toB(), 5)) {
            ByteBuf both = text("ping ");
            assertThat(soon(ByteBufs.call(caller, both, both))).isEqualTo(4);
            assertThat(both.toString(StandardCharsets.UTF_8)).isEqualTo("ping pong");
            both.release();
            gone(both);
        }
    }

    /** The deadline ends the call; the buffers are given back when they are the program's again. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void callsThatFailGiveBack(String provider) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CallHandler slow = call -> {
            if (call.request().byteSize() == 4) {
                go.await();
            }
            call.answer(new byte[100]);
        };
        try (Two nodes = Two.open(provider); Service _ = Service.open(nodes.b(), 5, slow);
             Caller caller = Caller.open(nodes.toB(), 5)) {
            ByteBuf request = text("late");
            ByteBuf answer = POOL.directBuffer(100);
            CompletableFuture<Integer> late = ByteBufs.call(caller, request, answer, Duration.ofMillis(50));
            CompletableFuture<Integer> cancelled = ByteBufs.call(caller, request, answer, DEADLINE);
            assertThat(cancelled.cancel(true)).isTrue();
            assertThatThrownBy(() -> soon(late)).isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("FI_ETIMEDOUT");
            request.release();
            answer.release();
            gone(request, answer);
            go.countDown();
            ByteBuf other = text("longer than four");
            ByteBuf room = POOL.directBuffer(10, 10);
            assertThatThrownBy(() -> soon(ByteBufs.call(caller, other, room, DEADLINE)))
                    .isInstanceOf(ExecutionException.class).hasMessageContaining("FI_ETRUNC");
            assertThat(room.readableBytes()).isZero();
            other.release();
            room.release();
            gone(other, room);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void refusalsHoldNothing(String provider) throws Exception {
        try (Two nodes = Two.open(provider);
             Service _ = Service.open(nodes.b(), 5, call -> call.answer(new byte[8]));
             Caller caller = Caller.open(nodes.toB(), 5)) {
            ByteBuf good = text("good");
            ByteBuf heap = POOL.heapBuffer(10).writeInt(1);
            ByteBuf constant = text("constant").asReadOnly();
            ByteBuf pieces = POOL.compositeDirectBuffer().addComponents(true, text("a"), text("b"));
            isRefused(caller, heap, good, "directBuffer");
            isRefused(caller, good, heap, "directBuffer");
            isRefused(caller, good, constant, "read-only");
            ByteBuf half = POOL.compositeDirectBuffer().addComponents(true, text("a"), POOL.heapBuffer(1).writeByte(1));
            isRefused(caller, half, good, "directBuffer");
            isRefused(caller, good, pieces, "2 pieces");
            assertThatThrownBy(() -> ByteBufs.call(caller, good, good, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("deadline");
            assertThatThrownBy(() -> ByteBufs.call(null, good, good)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("the caller is null");
            assertThat(soon(ByteBufs.call(caller, good, good))).isEqualTo(8);
            for (ByteBuf buffer : new ByteBuf[] {good, heap, constant, pieces, half}) {
                buffer.release();
            }
            gone(good, heap, constant, pieces, half);
        }
    }

    private static void isRefused(Caller caller, ByteBuf request, ByteBuf answer, String why) {
        assertThatThrownBy(() -> ByteBufs.call(caller, request, answer)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** Both answers went to the same place: the second says so. And so does one whose buffer has moved. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void whatMovedFailsTheCall(String provider) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CallHandler waits = call -> {
            go.await();
            call.answer(new byte[8]);
        };
        try (Two nodes = Two.open(provider); Service _ = Service.open(nodes.b(), 5, waits);
             Caller caller = Caller.open(nodes.toB(), 5)) {
            ByteBuf request = text("r");
            ByteBuf answer = POOL.directBuffer(64);
            ByteBuf moved = POOL.directBuffer(64);
            CompletableFuture<Integer> first = ByteBufs.call(caller, request, answer);
            CompletableFuture<Integer> second = ByteBufs.call(caller, request, answer);
            CompletableFuture<Integer> third = ByteBufs.call(caller, request, moved);
            moved.capacity(1 << 16);
            go.countDown();
            CompletableFuture<?> either = first.handle((done, why) -> why);
            soon(either);
            soon(second.handle((done, why) -> why));
            assertThat(first.isCompletedExceptionally() ^ second.isCompletedExceptionally()).isTrue();
            assertThat((first.isCompletedExceptionally() ? first : second).exceptionNow())
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("or one call");
            assertThat(answer.readableBytes()).isEqualTo(8);
            assertThatThrownBy(() -> soon(third)).cause().isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("capacity");
            for (ByteBuf buffer : new ByteBuf[] {request, answer, moved}) {
                buffer.release();
            }
            gone(request, answer, moved);
        }
    }
}
