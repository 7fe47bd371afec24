// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.Backlog;
import io.jfabric.internal.call.wire.Greeting;
import io.jfabric.testkit.Providers;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets a place at a service when there is none. */
@Timeout(30)
class CallersTest {
    private static final Duration IDLE = Duration.ofSeconds(1);

    @Test
    void whoIsIdleForLongGivesUpItsPlace() throws Exception {
        Providers.Choice choice = Providers.offered(Providers.RXM).findFirst().orElseThrow();
        try (Hints hints = Hints.rdm().provider(choice.provider()).capabilities(Capability.MSG, Capability.TAGGED);
             Node node = Node.open(hints)) {
            Callers callers = new Callers(2, 16, IDLE, Backlog::new, greeting -> null, lost -> { }, over -> { });
            Connection dead = callers.add(greeting(node, 1));
            Connection busy = callers.add(greeting(node, 2));
            busy.callBegins();
            assertThat(callers.add(greeting(node, 3))).isNull();
            Thread.sleep(IDLE.toMillis());
            assertThat(callers.add(greeting(node, 1))).as("it has said the same again").isSameAs(dead);
            Connection third = callers.add(greeting(node, 3));
            assertThat(third.number()).isEqualTo(dead.number());
            assertThat(callers.find(dead.number(), dead.key())).isNull();
            assertThat(callers.find(busy.number(), busy.key())).isSameAs(busy);
            assertThat(callers.add(greeting(node, 4))).as("one has a call, the other is new").isNull();
            busy.callEnds();
            assertThat(callers.add(greeting(node, 4))).as("it has had a call just now").isNull();
            assertThat(callers.count()).isEqualTo(2);
        }
    }

    /** Its hello is handled while the service says goodbye to those it has: it would never hear of that. */
    @Test
    void whoComesAtTheLastMomentGetsNoPlace() {
        Providers.Choice choice = Providers.offered(Providers.RXM).findFirst().orElseThrow();
        try (Hints hints = Hints.rdm().provider(choice.provider()).capabilities(Capability.MSG, Capability.TAGGED);
             Node node = Node.open(hints)) {
            Callers callers = new Callers(2, 16, IDLE, Backlog::new, greeting -> null, lost -> { }, over -> { });
            assertThat(callers.add(greeting(node, 1))).isNotNull();
            callers.close(() -> { });
            assertThat(callers.add(greeting(node, 2))).isNull();
            assertThat(callers.count()).isOne();
        }
    }

    /** Its peer stays for longer. */
    @Test
    void whoIsGoneIsForgotten() throws Exception {
        Providers.Choice choice = Providers.offered(Providers.RXM).findFirst().orElseThrow();
        try (Hints hints = Hints.rdm().provider(choice.provider()).capabilities(Capability.MSG, Capability.TAGGED);
             Node node = Node.open(hints)) {
            Callers callers = new Callers(2, 16, IDLE, Backlog::new, greeting -> null, lost -> { }, over -> { });
            Greeting greeting = greeting(node, 1);
            WeakReference<Connection> gone = comeAndGone(callers, greeting);
            for (int i = 0; i < 500 && gone.get() != null; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(gone.get()).isNull();
            assertThat(greeting.peer().isOpen()).isTrue();
            assertThat(callers.count()).isZero();
        }
    }

    private static WeakReference<Connection> comeAndGone(Callers callers, Greeting greeting) {
        Connection one = callers.add(greeting);
        callers.goodbye(one.tag(), one.callerKey());
        return new WeakReference<>(one);
    }

    private static Greeting greeting(Node node, long tag) {
        return new Greeting(((NodeImpl) node).peer(node.address()), tag, 7, 4096, 16, 1);
    }
}
