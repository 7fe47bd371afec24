// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/** What a service said before it was opened anew, and is handled after what the new one says. */
@Timeout(60)
class LateMessagesTest {
    private static final long FIRST = 1;
    private static final long SECOND = 2;

    /** Made by hand: forgets the first call, is opened anew then, and says what it has to say in the wrong order. */
    private static final class Reopened extends ServiceByHand {
        private Greeting first;
        private boolean isReopened;

        Reopened(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT) {
                greeted(read(frame, length));
            } else if (Frame.type(frame) == Frame.CALL && Frame.key(frame) == SECOND) {
                long id = Frame.id(frame);
                // all of it before the answer
                accept(first, FIRST);
                say(first, Frame.BYE, 0, FIRST, 0, 0);
                say(first, Frame.REFUSE, first.hello(), 0, 0, 0);
                say(first, Frame.ANSWER, 0, id, 0, 0);
            }
            return null;
        }

        private void greeted(Greeting greeting) {
            if (first == null) {
                first = greeting;
                accept(greeting, FIRST);
            } else {
                // the caller asks for a sign of life
                assertThat(greeting.key()).isEqualTo(first.key());
                isReopened = true;
                accept(greeting, SECOND);
            }
        }

        private void accept(Greeting greeting, long key) {
            accept(greeting, greeting.hello(), key, 16, 1 << 20);
        }
    }

    @FabricTest(providers = {"shm", "tcp;ofi_rxm"}, capabilities = {Capability.MSG, Capability.TAGGED})
    void theNewSessionGoesOn(NodePair nodes) throws Exception {
        Reopened service = new Reopened(nodes.b);
        service.join();
        try (Caller caller = Caller.open(nodes.toB, ServiceByHand.NUMBER)) {
            CompletableFuture<byte[]> forgotten = caller.call(new byte[1]);
            assertThat(forgotten.handle((answer, why) -> why).get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("opened anew, or had given this caller up");
            assertThat(service.isReopened).isTrue();
            for (int i = 0; i < 5; i++) {
                assertThat(caller.call(new byte[1]).get(20, TimeUnit.SECONDS)).isEmpty();
            }
        }
    }

    /** Says goodbye, and then what it had said before. */
    private static final class Closed extends ServiceByHand {
        private final Set<Long> keys = ConcurrentHashMap.newKeySet();
        private boolean isOpenedAnew;
        private Greeting last;

        Closed(Node node) {
            super(node);
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT) {
                Greeting greeting = read(frame, length);
                if (!isOpenedAnew) {
                    say(greeting, Frame.BYE, 0, FIRST, 0, 0);
                }
                accept(greeting, greeting.hello(), isOpenedAnew ? SECOND : FIRST, 16, 1 << 20);
                isOpenedAnew = true;
                last = greeting;
            } else if (Frame.type(frame) == Frame.CALL) {
                keys.add(Frame.key(frame));
                if (Frame.key(frame) == SECOND) {
                    say(last, Frame.BYE, 0, SECOND, 0, 0);
                    say(last, Frame.ANSWER, 0, Frame.id(frame), 0, 0);
                }
            }
            return null;
        }
    }

    /** A session that is over does not begin again, but an answer to a call of it is one. */
    @FabricTest(providers = {"shm", "tcp;ofi_rxm"}, capabilities = {Capability.MSG, Capability.TAGGED})
    void whatComesBehindAGoodbye(NodePair nodes) throws Exception {
        Closed service = new Closed(nodes.b);
        service.join();
        try (Caller caller = Caller.open(nodes.toB, ServiceByHand.NUMBER)) {
            assertThat(caller.call(new byte[1]).get(20, TimeUnit.SECONDS)).isEmpty();
            assertThat(service.keys).containsExactly(SECOND);
        }
    }
}
