// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.call.wire.Welcome;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a service said before it was opened anew, and is handled after what the new one says. */
@Timeout(60)
class LateMessagesTest {
    private static final int NUMBER = 5;
    private static final long FIRST = 1;
    private static final long SECOND = 2;

    /** Made by hand: forgets the first call, is opened anew then, and says what it has to say in the wrong order. */
    private static final class Reopened implements Hub.Receiver {
        private final NodeImpl node;
        private volatile Hub hub;
        private Greeting first;
        private boolean isReopened;

        Reopened(Node node) {
            this.node = (NodeImpl) node;
        }

        @Override
        public Hub.Ending arrived(PooledBuffer buffer, MemorySegment frame, long length) {
            if (Frame.type(frame) == Frame.CONNECT) {
                greeted(Greeting.read(node, 4096, frame, length));
            } else if (Frame.type(frame) == Frame.CALL && Frame.key(frame) == SECOND) {
                long id = Frame.id(frame);
                // all of it before the answer
                accept(first, FIRST);
                say(Frame.BYE, 0, FIRST);
                say(Frame.REFUSE, first.hello(), 0);
                say(Frame.ANSWER, 0, id);
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
            PooledBuffer out = hub.take();
            new Welcome(greeting.hello(), greeting.key(), 1, key, 4096, 16, 1 << 20).write(out.segment());
            hub.send(out.segment(), Welcome.LENGTH, greeting.peer(), greeting.tag(), out::close);
        }

        private void say(int type, int connection, long id) {
            PooledBuffer out = hub.take();
            Frame.write(out.segment(), type, connection, first.key(), id, 0, 0, 0);
            hub.send(out.segment(), Frame.HEADER, first.peer(), first.tag(), out::close);
        }

        @Override
        public void ended() {
            // with the test
        }
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theNewSessionGoesOn(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            Reopened service = new Reopened(b);
            service.hub = Hub.join((NodeImpl) b, Wire.requests(NUMBER), service);
            try (Caller caller = Caller.open(a.peer(b.address()), NUMBER)) {
                CompletableFuture<byte[]> forgotten = caller.call(new byte[1]);
                assertThat(forgotten.handle((answer, why) -> why).get(20, TimeUnit.SECONDS))
                        .hasMessageContaining("opened anew");
                assertThat(service.isReopened).isTrue();
                for (int i = 0; i < 5; i++) {
                    assertThat(caller.call(new byte[1]).get(20, TimeUnit.SECONDS)).isEmpty();
                }
            }
        }
    }
}
