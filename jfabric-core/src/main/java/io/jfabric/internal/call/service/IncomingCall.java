// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.Call;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Large;
import io.jfabric.internal.call.wire.Parts;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.context.MemoryCheck;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@link Call}: the request is in the buffer it was received in, and the answer goes out of the same one. */
public final class IncomingCall implements Call {
    private static final VarHandle ANSWERED;

    static {
        try {
            ANSWERED = MethodHandles.lookup().findVarHandle(IncomingCall.class, "answered", boolean.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Connection connection;
    final long id;
    /** The answer is sent from this buffer of the pool. */
    final PooledBuffer buffer;
    /** The memory of a long request; null for others. */
    final Large.Block block;
    /** Where the caller already receives the answer; null if it does not yet. */
    final AnswerRoom room;
    private final ServiceImpl service;
    private final MemorySegment request;
    /** Null unless {@link MemoryCheck#ON}. */
    private final CheckedRequest checked;
    private final long end;
    private volatile boolean answered;
    /** Whether it was counted as answered; only for the thread that sends the answer. */
    private boolean counted;

    IncomingCall(ServiceImpl service, Connection connection, long id, long timeLeft, PooledBuffer buffer,
            Large.Block block, AnswerRoom room, MemorySegment request) {
        this.service = service;
        this.connection = connection;
        this.id = id;
        this.buffer = buffer;
        this.block = block;
        this.room = room;
        this.request = request;
        this.checked = MemoryCheck.ON ? new CheckedRequest(request) : null;
        this.end = Clock.after(timeLeft);
    }

    boolean isLate() {
        return Clock.isPast(end);
    }

    /** In nanoseconds; {@link Clock#NEVER} if there is no deadline. */
    long left() {
        return Clock.left(end);
    }

    /** Where the answer goes as a payload, if the caller already receives one that long; null if in a message. */
    AnswerRoom roomFor(int type, long length) {
        return type == Frame.ANSWER && hasRoom() && length > 0 && length <= room.size() ? room : null;
    }

    /** Whether the caller already receives the answer. After the deadline, when the call is over there, it may not. */
    boolean hasRoom() {
        return room != null && !isLate();
    }

    /** Whether it is for this thread to answer. */
    boolean claim() {
        return ANSWERED.compareAndSet(this, false, true);
    }

    /** Whether it is a call of that service which nobody has answered. */
    boolean isOpenAt(ServiceImpl one) {
        return service == one && !answered;
    }

    /** True only the first time. */
    boolean counts() {
        boolean first = !counted;
        counted = true;
        return first;
    }

    /** The call is being answered with that memory. */
    void answeredWith(MemorySegment[] answer) {
        if (checked != null) {
            checked.answeredWith(answer);
        }
    }

    /** It is over, but for what is sent from its buffer: the memory of the request is for others. */
    void giveBack() {
        if (checked != null) {
            checked.end();
        }
        Large.release(block, null);
    }

    private void claimOrFail(String operation) {
        if (!claim()) {
            throw new IllegalStateException("Call." + operation + ": the call has already been answered");
        }
    }

    @Override
    public MemorySegment request() {
        if (answered) {
            throw new IllegalStateException("Call.request: the call has been answered, and its memory may be in use "
                    + "for another");
        }
        return checked == null ? request : checked.memory();
    }

    @Override
    public byte[] bytes() {
        return request().toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public Peer peer() {
        return connection.peer();
    }

    @Override
    public Duration timeLeft() {
        return end == Clock.NEVER ? NodeOptions.NO_DEADLINE : Duration.ofNanos(left());
    }

    @Override
    public CompletableFuture<Void> answer(MemorySegment answer) {
        Arguments.given(answer, "Call.answer", "the answer");
        Buffers.checkAccessible("Call.answer", answer);
        claimOrFail("answer");
        return service.ends().answer(this, new MemorySegment[] {answer});
    }

    @Override
    public CompletableFuture<Void> answer(List<MemorySegment> answer) {
        MemorySegment[] parts = Parts.of("Call.answer", "answer", answer, false);
        claimOrFail("answer");
        return service.ends().answer(this, parts);
    }

    @Override
    public void answer(byte[] answer) {
        answer(MemorySegment.ofArray(Arguments.given(answer, "Call.answer", "the answer")));
    }

    /** As if the handler had thrown {@code why}. */
    public void failed(Throwable why) {
        service.handling().failed(this, why);
    }

    @Override
    public void fail(Throwable why) {
        Arguments.given(why, "Call.fail", "the reason");
        claimOrFail("fail");
        service.ends().fail(this, why);
    }

    @Override
    public String toString() {
        return "call of " + request.byteSize() + " bytes from " + connection.peer()
                + (answered ? " (answered)" : "");
    }
}
