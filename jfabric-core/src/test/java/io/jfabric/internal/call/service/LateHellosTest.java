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
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hellos that are handled after what the caller has said later. */
@Timeout(30)
class LateHellosTest {
    private static final int TAG = 3;

    @Test
    void oneOfTheSessionBefore() {
        with((callers, node) -> {
            Connection now = callers.add(hello(node, 2, 20));
            assertThat(callers.isOld(hello(node, 1, 10))).isTrue();
            assertThat(callers.add(hello(node, 1, 10))).isNull();
            assertThat(callers.has(now)).isTrue();
            assertThat(callers.isOld(hello(node, 2, 20))).as("its own, again").isFalse();
            assertThat(callers.add(hello(node, 3, 20))).isSameAs(now);
            assertThat(callers.add(hello(node, 4, 30))).isNotSameAs(now).isNotNull();
            assertThat(callers.count()).isOne();
        });
    }

    /** The numbers of hellos begin again. */
    @Test
    void numbersWrap() {
        with((callers, node) -> {
            callers.add(hello(node, Integer.MAX_VALUE, 20));
            assertThat(callers.isOld(hello(node, Integer.MIN_VALUE, 30))).isFalse();
            callers.add(hello(node, Integer.MIN_VALUE, 30));
            assertThat(callers.isOld(hello(node, Integer.MAX_VALUE, 20))).isTrue();
        });
    }

    @Test
    void afterTheGoodbye() {
        with((callers, node) -> {
            Connection place = callers.add(hello(node, 1, 10));
            callers.goodbye(TAG, 11);
            assertThat(callers.has(place)).as("another's goodbye").isTrue();
            callers.goodbye(TAG, 10);
            assertThat(callers.count()).isZero();
            assertThat(callers.isOld(hello(node, 1, 10))).isTrue();
            assertThat(callers.add(hello(node, 1, 10))).isNull();
            assertThat(callers.isOld(hello(node, 1, 12))).isFalse();
        });
    }

    private interface Case {
        void run(Callers callers, Node node);
    }

    private static void with(Case test) {
        Providers.Choice choice = Providers.offered(Providers.SHM).findFirst().orElseThrow();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node node = Node.open(hints)) {
            test.run(new Callers(2, 16, Duration.ofSeconds(60), Backlog::new, greeting -> null, lost -> { },
                    over -> { }), node);
        }
    }

    private static Greeting hello(Node node, int number, long key) {
        return new Greeting(((NodeImpl) node).peer(node.address()), TAG, key, 4096, 16, number);
    }
}
