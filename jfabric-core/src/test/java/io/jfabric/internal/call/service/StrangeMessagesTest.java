// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.CallFrames;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.RawHeader;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that no caller of ours sends, or to nobody; with a caller made by hand. */
@Timeout(60)
class StrangeMessagesTest {
    private static final int LARGEST = 100;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void requestThatIsLongerThanAllowed(Providers.Choice choice) throws Exception {
        AtomicInteger handled = new AtomicInteger();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> handled.incrementAndGet(),
                        ServiceOptions.DEFAULT.withLargestRequest(LARGEST).withLargeBytes(1 << 20));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            caller.says(Frame.CALL, 1, LARGEST + 1, Frame.NO_DEADLINE, 0);
            assertThat(caller.hears().type()).isEqualTo(Frame.TOO_LONG);
            assertThat(handled).hasValue(0);
            assertThat(service.refused()).isOne();
            assertThat(service.underWay()).isZero();
        }
    }

    /** Of a caller that the service does not know: the payload, which is under way already, is received, too. */
    @Test
    void longRequestOfAStranger() throws Exception {
        Providers.RXM.assumeOffered();
        try (Hints hints = Providers.RXM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> call.answer(new byte[0]));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            MemorySegment payload = a.allocate(100_000);
            long tag = Wire.eager(5, 77, 1);
            CompletableFuture<Void> sent = ((NodeImpl) a).internal().send(payload, 0, payload.byteSize(),
                    a.peer(b.address()), tag);
            MemorySegment frame = a.allocate(Frame.HEADER);
            new RawHeader(RawHeader.first(Frame.CALL_LARGE), 77, 77, 1, payload.byteSize(), Frame.NO_DEADLINE, tag)
                    .write(frame);
            caller.hub.wire.send(frame, Frame.HEADER, a.peer(b.address()), Wire.requests(5));
            sent.get(20, TimeUnit.SECONDS);
            assertThat(service.invalid()).isOne();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void messageOfAnotherVersion(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> call.answer(new byte[0]));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            MemorySegment frame = a.allocate(Frame.HEADER);
            CallFrames.request(frame, 0, 0, 0, 0, 0, null);
            frame.set(ValueLayout.JAVA_BYTE, 2, (byte) 1);
            caller.hub.wire.send(frame, Frame.HEADER, a.peer(b.address()), Wire.requests(5));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (service.invalid() == 0 && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(service.invalid()).isOne();
        }
    }

    /** Its number in the address vector is another's. */
    @ParameterizedTest
    @MethodSource("providers")
    void toAClosedPeer(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Node c = Node.open(hints);
                Service service = Service.open(b, 5, call -> call.answer(new byte[0]));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            Peer closed = a.peer(c.address());
            long number = closed.fabricAddress();
            closed.close();
            Peer next = a.peer(c.address());
            for (int i = 0; next.fabricAddress() != number && i < 100; i++) {
                next.close();
                LockSupport.parkNanos(10_000_000);
                next = a.peer(c.address());
            }
            assertThat(next.fabricAddress()).isEqualTo(number);
            MemorySegment frame = a.allocate(Frame.HEADER);
            CallFrames.request(frame, 0, 0, 0, 0, 0, null);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            // until messages to that number go at once
            while (caller.hub.wire.send(frame, Frame.HEADER, next, Wire.requests(5)) != null
                    && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(10_000_000);
            }
            assertThatThrownBy(() -> caller.hub.wire.send(frame, Frame.HEADER, closed, Wire.requests(5)))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
            assertThat(service.invalid()).isZero();
        }
    }
}
