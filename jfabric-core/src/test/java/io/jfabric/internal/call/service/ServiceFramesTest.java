// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.RawHeader;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/** What stands where in the messages of a service. */
@Timeout(60)
class ServiceFramesTest {
    /** That of a {@link CallerByHand}, and how long messages it takes. */
    private static final int KEY = 42;
    private static final long INLINE = 4096;
    private static final int WINDOW = 7;
    private static final int SIZE = 100_000;

    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void areWhereTheyWere(NodePair nodes) throws Exception {
        Service service = Service.open(nodes.b, 5, call -> call.answer(nodes.b.allocate(SIZE)),
                ServiceOptions.DEFAULT.withLargestRequest(SIZE));
        try (CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5, WINDOW)) {
            RawHeader welcome = caller.headers.take();
            assertThat(welcome).isEqualTo(new RawHeader(RawHeader.first(2), 0, KEY, welcome.id(), 8,
                    INLINE << 32 | WINDOW, SIZE));

            caller.says(Frame.CALL_LARGE, 11, SIZE, Frame.NO_DEADLINE, 0);
            RawHeader go = next(caller);
            assertThat(Wire.isPayload(go.more())).isTrue();
            assertThat(go).isEqualTo(new RawHeader(RawHeader.first(6), 0, KEY, 11, SIZE, 0, go.more()));
            caller.sends(nodes.a.allocate(SIZE), go.more());

            RawHeader announced = next(caller);
            assertThat(announced).isEqualTo(new RawHeader(RawHeader.first(8), 0, KEY, 11, SIZE,
                    Duration.ofMinutes(5).toNanos(), announced.more()));
            MemorySegment room = nodes.a.allocate(SIZE);
            Wire.Incoming incoming = caller.hub.wire.receivePayload(room, Duration.ofSeconds(20));
            caller.says(Frame.GO, 11, SIZE, incoming.tag(), announced.more());
            assertThat(incoming.received().get(20, TimeUnit.SECONDS)).isEqualTo(SIZE);

            caller.says(Frame.CALL_LARGE, 12, SIZE + 1, Frame.NO_DEADLINE, 0);
            assertThat(next(caller)).isEqualTo(new RawHeader(RawHeader.first(12), 0, KEY, 12, 0, 0, 0));

            service.drain(Duration.ZERO);
            assertThat(next(caller)).isEqualTo(new RawHeader(RawHeader.first(13), 0, KEY, welcome.id(), 0, 0, 1));
        } finally {
            service.close();
        }
    }

    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void closedAtOnce(NodePair nodes) throws Exception {
        Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]));
        try (CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5, WINDOW)) {
            RawHeader welcome = caller.headers.take();
            service.close();
            assertThat(next(caller)).isEqualTo(new RawHeader(RawHeader.first(13), 0, KEY, welcome.id(), 0, 0, 0));
        } finally {
            service.close();
        }
    }

    private static RawHeader next(CallerByHand caller) throws InterruptedException {
        return caller.headers.poll(20, TimeUnit.SECONDS);
    }
}
