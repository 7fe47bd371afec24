// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.trigger.Deferral;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** libfabric's hooks ({@code FI_HOOK}), which stand between a program and every provider. */
class HooksTest {
    private static String run(String hook) {
        ChildJvm.Result result = ChildJvm.of(Hooked.class).environment("FI_HOOK", hook).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    @Test
    void whatCrashesBehindAHookIsRefused() {
        assertThat(run("noop")).contains("done");
    }

    @Test
    void aHookThatTakesContextsIsRefused() {
        assertThat(run("perf;debug")).contains("refused").doesNotContain("done");
    }

    /** In a process of its own: the library reads the variable once. */
    static final class Hooked {
        private Hooked() {
        }

        public static void main(String[] args) {
            for (Providers.Choice choice : Stream.of(Providers.UDP, Providers.SOCKETS)
                    .filter(Providers.Choice::isOffered).toList()) {
                try {
                    carry(choice);
                } catch (FabricException debug) {
                    assertThat(debug).hasMessageContaining("fi_fabric").hasMessageContaining("FI_HOOK=perf;debug");
                    System.out.println("refused");
                    return;
                }
            }
            if (Providers.SOCKETS.isOffered(hints -> hints.capabilities(Capability.TRIGGER, Capability.MSG))) {
                startLater();
            }
            System.out.println("done");
        }

        private static void carry(Providers.Choice choice) {
            try (Pair pair = Pair.open(choice)) {
                pair.connect();
                if (!pair.info.capabilities().contains(Capability.ATOMIC)) {
                    assertThat(pair.a.endpoint.atomics().maxCount(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM))
                            .isZero();
                }
                ownEvents(pair.fabric);
                EventQueue events = pair.fabric.openEventQueue();
                joinNothing(pair, events);
                insertNothing(pair, events);
            }
        }

        private static void ownEvents(Fabric fabric) {
            try (EventQueue events = fabric.openEventQueue(EventQueueAttributes.DEFAULT.withWritable(true))) {
                events.write(100_000, 5, 6);
                assertThat(events.poll()).isPresent();
            }
        }

        private static void joinNothing(Pair pair, EventQueue events) {
            AddressVector addresses = pair.domain.openAddressVector();
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(addresses).bind(events)
                    .bind(pair.domain.openCompletionQueue(CompletionFormat.DATA), BindFlag.TRANSMIT, BindFlag.RECV)
                    .enable();
            refused(() -> endpoint.join(Address.of(new InetSocketAddress("239.1.2.3", 4567)), 5));
        }

        @SuppressWarnings("deprecation")
        private static void insertNothing(Pair pair, EventQueue events) {
            try (Arena arena = Arena.ofConfined()) {
                AddressVector vector = pair.domain.openAddressVector(
                        AddressVectorAttributes.DEFAULT.withAsynchronous(true));
                MemorySegment peer = arena.allocateFrom(ValueLayout.JAVA_BYTE, pair.b.endpoint.address().bytes());
                // newer releases do not bind the queue to begin with
                assertThatThrownBy(() -> vector.bind(events).insertAsync(peer, 1, arena.allocate(8, 8), 77))
                        .isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOSYS");
            }
        }

        private static void startLater() {
            try (Pair pair = Pair.open(Providers.SOCKETS, hints ->
                    hints.capabilities(Capability.TRIGGER, Capability.MSG)); Arena arena = Arena.ofConfined()) {
                Counter counter = pair.domain.openCounter();
                Counter other = pair.domain.openCounter();
                refused(() -> Deferral.at(counter, 1).add(other, 3));
                refused(() -> Deferral.flush(counter));
                MessageRequest send = pair.a.endpoint.messages().sendRequest().buffers(arena.allocate(8))
                        .peer(pair.a.peer);
                refused(() -> Deferral.at(counter, 1).queue(send));
                refused(() -> Trigger.at(counter, 1).post(send, 5));
            }
        }

        private static void refused(Runnable call) {
            assertThatThrownBy(call::run).isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOSYS")
                    .hasMessageContaining("unset that variable");
        }
    }
}
