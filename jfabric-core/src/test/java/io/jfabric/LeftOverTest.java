// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.Direction;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message that asks for little when it is sent, and is longer than its receive, takes no other one with it. */
@Timeout(90)
class LeftOverTest {
    private static final int LONG = 300_000;
    private static final int ROUNDS = 3;

    private final MemorySegment out = Arena.ofAuto().allocate(LONG).fill((byte) 0x41);
    private final MemorySegment in = Arena.ofAuto().allocate(LONG);

    @FunctionalInterface
    private interface Sender {
        boolean send(Endpoint endpoint, MemorySegment message, long peer, long context);
    }

    @BeforeAll
    static void offered() {
        Providers.SOCKETS.assumeOffered();
    }

    private void othersArrive(Pair pair, Sender sender) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int length : new int[] {4_000, LONG}) {
                long context = round * 100L;
                pair.post(() -> pair.b.endpoint.messages().receive(in, 0, 60, Address.ANY, context));
                pair.post(() -> pair.b.endpoint.messages().receive(in, 0, LONG, Address.ANY, context + 1));
                pair.post(() -> sender.send(pair.a.endpoint, out.asSlice(0, length), pair.a.peer, context));
                pair.post(() -> sender.send(pair.a.endpoint, out, pair.a.peer, context + 1));
                assertThat(pair.awaitError(pair.b, context).error().error()).isEqualTo(FabricError.ETRUNC);
                Done whole = pair.await(pair.b, context + 1);
                assertThat(whole.length()).isEqualTo(LONG);
                assertThat(in.mismatch(out)).isEqualTo(-1);
                in.fill((byte) 0);
                pair.await(pair.a, context);
                pair.await(pair.a, context + 1);
            }
        }
    }

    @Test
    void byTheirOwnFlags() {
        try (Pair pair = Pair.open(Providers.SOCKETS).connect()) {
            othersArrive(pair, (endpoint, message, peer, context) -> endpoint.messages().sendRequest().buffers(message)
                    .peer(peer).flags(OperationFlag.COMPLETION, OperationFlag.INJECT_COMPLETE).post(context));
        }
    }

    @Test
    void byTheEndpointsFlags() {
        try (Pair pair = Pair.open(Providers.SOCKETS).connect()) {
            pair.a.endpoint.setOperationFlags(Direction.TRANSMIT, Flags.of(OperationFlag.INJECT_COMPLETE));
            othersArrive(pair, (endpoint, message, peer, context) -> endpoint.messages().send(message, peer, context));
        }
    }

    @Test
    void byTheFlagsOfTheInfo() {
        try (Pair pair = Pair.openChanged(Providers.SOCKETS, hints -> { },
                info -> info.tx().operationFlags(OperationFlag.INJECT_COMPLETE)).connect()) {
            othersArrive(pair, (endpoint, message, peer, context) -> endpoint.messages().send(message, peer, context));
        }
    }

    @Test
    void byTheFlagsOfAnAlias() {
        try (Pair pair = Pair.open(Providers.SOCKETS).connect()) {
            Endpoint alias = pair.a.endpoint.alias(Direction.TRANSMIT, Flags.of(OperationFlag.INJECT_COMPLETE));
            othersArrive(pair, (endpoint, message, peer, context) -> alias.messages().send(message, peer, context));
        }
    }
}
