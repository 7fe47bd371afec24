// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A call that is given up, and its memory used for something else, while its request is copied: that is not sent. */
@Timeout(60)
class RequestUnderCopyTest {
    private static final long FOREVER = Long.MAX_VALUE;
    /** Such a request waits until its service has made room for it. */
    private static final int LONGER = 5 << 20;

    /** Is cancelled in the middle of the copy. */
    private static final class GivenUp extends BytesCall {
        GivenUp(Node node, MemorySegment request) {
            super(((NodeImpl) node).drive(), request, FOREVER);
        }

        @Override
        void readRequest(MemorySegment to, long offset) {
            long half = requestLength() / 2;
            MemorySegment.copy(request[0], 0, to, offset, half);
            cancel(true);
            request[0].fill((byte) 0);
            MemorySegment.copy(request[0], half, to, offset + half, half);
        }
    }

    /** Notes which thread copies it. */
    private static final class Noted extends BytesCall {
        private volatile Thread copies;

        Noted(Node node, MemorySegment request) {
            super(((NodeImpl) node).drive(), request, FOREVER);
        }

        @Override
        void readRequest(MemorySegment to, long offset) {
            copies = Thread.currentThread();
            super.readRequest(to, offset);
        }
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shortRequest(Providers.Choice choice) throws Exception {
        isNotSent(choice, MemorySegment.ofArray(new byte[100]));
    }

    /** The memory is lent meanwhile. */
    @ParameterizedTest
    @MethodSource("providers")
    void shortRequestInNativeMemory(Providers.Choice choice) throws Exception {
        isNotSent(choice, null);
    }

    /** It is copied into a block, as the provider cannot read it where it is. */
    @ParameterizedTest
    @MethodSource("providers")
    void longRequest(Providers.Choice choice) throws Exception {
        isNotSent(choice, MemorySegment.ofArray(new byte[100_000]));
    }

    /** Its memory may have to be paged in, and whoever makes progress does so for everybody. */
    @ParameterizedTest
    @MethodSource("providers")
    void aLongCopyKeepsNobody(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, CallHandler.of(bytes -> bytes),
                        ServiceOptions.DEFAULT.withLargestRequest(LONGER));
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            byte[] request = new byte[LONGER];
            Arrays.fill(request, (byte) 7);
            Noted call = new Noted(a, MemorySegment.ofArray(request));
            ((CallerImpl) caller).submit(call, FOREVER);
            assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo(request);
            assertThat(call.copies.getName()).isEqualTo("jfabric-aside");
        }
    }

    private static void isNotSent(Providers.Choice choice, MemorySegment heap) throws Exception {
        Queue<byte[]> seen = new ConcurrentLinkedQueue<>();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> {
                    seen.add(call.bytes());
                    call.answer(new byte[0]);
                });
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            caller.call(new byte[0]).get(20, TimeUnit.SECONDS);
            MemorySegment request = heap != null ? heap : a.allocate(100);
            GivenUp call = new GivenUp(a, request.fill((byte) 1));
            ((CallerImpl) caller).submit(call, FOREVER);
            a.released(call).get(20, TimeUnit.SECONDS);
            assertThat(call.isCancelled()).isTrue();
            // in order behind it
            caller.call(new byte[0]).get(20, TimeUnit.SECONDS);
            caller.call(new byte[request.byteSize() > 100 ? 100_000 : 0]).get(20, TimeUnit.SECONDS);
            assertThat(seen).as("requests half of which is the call's").noneMatch(bytes -> bytes.length > 0
                    && bytes[0] == 1);
            assertThat(caller.underWay()).isZero();
        }
    }
}
