// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Atomic operations of which the provider is to tell when they are delivered, and the messages after them. */
@Timeout(60)
class DeliveredAtomicsTest {
    private static final boolean REFUSED = Quirks.of("shm").has(Quirk.DELIVERED_ATOMICS_FREE_TWICE);

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP))
                .hasMessageContaining("FI_DELIVERY_COMPLETE");
    }

    @Test
    void messagesAfterOneKeepTheirBuffers() {
        try (Pair pair = Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.RMA,
                Capability.ATOMIC)); Arena arena = Arena.ofShared()) {
            pair.connect();
            MemorySegment memory = arena.allocate(8, 8);
            RemoteRegion region = RemoteRegion.of(pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE)
                    .remote().toBytes());
            MemorySegment operand = arena.allocateFrom(ValueLayout.JAVA_LONG, 5);
            AtomicRequest request = pair.a.endpoint.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM)
                    .peer(pair.a.peer).buffers(operand).target(region, 0, 8);
            for (int round = 1; round <= 3; round++) {
                long context = round;
                request.flags(OperationFlag.COMPLETION, OperationFlag.DELIVERY_COMPLETE);
                if (REFUSED) {
                    refused(() -> request.post(context));
                    request.flags(OperationFlag.COMPLETION);
                }
                pair.post(() -> request.post(context));
                pair.await(pair.a, context);
                long sum = 5L * round;
                pair.until("it is applied", () -> memory.get(ValueLayout.JAVA_LONG, 0) == sum);
            }
            MemorySegment[] sent = new MemorySegment[4];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = arena.allocate(1000).fill((byte) (i + 1));
                // nobody reads between them
                assertThat(pair.a.endpoint.messages().send(sent[i], pair.a.peer, 10 + i)).isTrue();
            }
            for (int i = 0; i < sent.length; i++) {
                MemorySegment received = arena.allocate(1000);
                long context = 20 + i;
                pair.post(() -> pair.b.endpoint.messages().receive(received, Address.ANY, context));
                pair.await(pair.b, context);
                assertThat(received.mismatch(sent[i])).as("message %d", i).isEqualTo(-1);
            }
        }
    }

    @Test
    void asADefault() {
        ThrowingCallable open = () -> Pair.open(Providers.SHM, hints -> {
            hints.capabilities(Capability.MSG, Capability.ATOMIC);
            hints.tx().operationFlags(OperationFlag.DELIVERY_COMPLETE);
        }).close();
        if (REFUSED) {
            refused(open);
        } else {
            assertThat(open).satisfies(ThrowingCallable::call);
        }
        Pair.open(Providers.SHM, hints -> {
            hints.capabilities(Capability.MSG);
            hints.tx().operationFlags(OperationFlag.DELIVERY_COMPLETE);
        }).close();
    }
}
