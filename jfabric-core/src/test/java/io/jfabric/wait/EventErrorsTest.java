// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventException;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who waits by the descriptor of an event queue does not miss an error, of sockets. */
class EventErrorsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int ERRORS = 2;

    @Test
    void nobodyWaitsBesideAnError() {
        Providers.SOCKETS_MSG.assumeOffered();
        try (FabricInfoList infos = Providers.SOCKETS_MSG.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             FabricInfo info = infos.first().duplicate().sourceAddress((Address) null)) {
            EventQueue server = fabric.openEventQueue();
            EventQueue client = fabric.openEventQueue(EventQueueAttributes.DEFAULT.withWaitObject(WaitObject.FD));
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.DATA);
            PassiveEndpoint listener = fabric.openPassiveEndpoint(infos.first()).bind(server).listen();
            assertThat(fabric.tryWait(client)).isTrue();
            for (int i = 0; i < ERRORS; i++) {
                Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(client).enable();
                endpoint.connect(listener.address());
                Optional<FabricEvent> event = server.await(DEADLINE);
                assertThat(event).get().isInstanceOf(FabricEvent.ConnectionRequest.class);
                ((FabricEvent.ConnectionRequest) event.orElseThrow()).reject();
            }
            FdWaiter waiter = FdWaiter.of(client.fileDescriptor());
            for (int i = 0; i < ERRORS; i++) {
                awaitOne(fabric, client, waiter);
            }
            assertThat(fabric.tryWait(client)).isTrue();
        }
    }

    private static void awaitOne(Fabric fabric, EventQueue queue, FdWaiter waiter) {
        while (true) {
            if (fabric.tryWait(queue)) {
                assertThat(waiter.await(DEADLINE)).as("descriptors that are ready").isPositive();
            }
            try {
                assertThat(queue.poll()).isEmpty();
            } catch (EventException rejected) {
                return;
            }
        }
    }
}
