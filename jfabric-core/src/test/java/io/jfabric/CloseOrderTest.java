// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.MrOps;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Providers.Choice;
import java.lang.foreign.Arena;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in use stays open, says so, and can be closed later. With tcp of 1.17 the provider itself would crash. */
@Timeout(60)
class CloseOrderTest {
    static Stream<Choice> connectionless() {
        return Providers.connectionless();
    }

    static Stream<Choice> msg() {
        return Providers.msg();
    }

    @ParameterizedTest
    @MethodSource("connectionless")
    void aQueueAndAnAddressVectorOutliveTheirEndpoint(Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
            AddressVector addresses = domain.openAddressVector();
            Endpoint endpoint = domain.openEndpoint(infos.first())
                    .bind(queue, TRANSMIT).bind(queue, RECV).bind(addresses).enable();
            assertBusy(queue);
            assertBusy(addresses);
            assertThat(queue.poll(completion -> { }, 1)).isZero();
            endpoint.close();
            queue.close();
            addresses.close();
            assertThat(queue.isOpen()).isFalse();
            assertThat(addresses.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void queuesOutliveAConnectedEndpoint(Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first())) {
            EventQueue events = fabric.openEventQueue();
            Domain domain = fabric.openDomain(infos.first());
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
            domain.openEndpoint(infos.first()).bind(queue, TRANSMIT, RECV).bind(events).enable();
            assertBusy(queue);
            assertBusy(events);
            // the parent knows the order
            domain.close();
            assertThat(queue.isOpen()).isFalse();
            events.close();
        }
    }

    private static void assertBusy(FabricObject object) {
        assertThatThrownBy(object::close).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.EBUSY)).hasMessageContaining("close what uses it");
        assertThat(object.isOpen()).isTrue();
    }

    /** By the time rxm says that its domain is busy, it has destroyed its buffers: asked again, it frees them twice. */
    @Test
    void aBusyRxmDomainIsNotClosedTwice() {
        assumeTrue(Providers.RXM.isOffered());
        try (FabricInfoList infos = Providers.RXM.find(hints -> { })) {
            Domain domain = Fabric.open(infos.first()).openDomain(infos.first());
            // as if jfabric had lost a registration
            ((FidObject) domain).call(handle -> Opening.open(handle, "fi_mr_reg", (parent, result) -> MrOps.reg(parent,
                    Arena.global().allocate(64).address(), 64, Libfabric.FI_SEND(), 0, 1, 0, result, 0), null));
            assertThatThrownBy(domain::close).isInstanceOf(FabricException.class).hasMessageContaining("FI_EBUSY");
            assertThat(domain.isOpen()).isFalse();
            domain.close();
        }
    }
}
