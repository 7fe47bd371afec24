// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Providers.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service has few receives while few calls come at once, as messages to others are compared with each of them. */
@Timeout(60)
class IntakesTest {
    private static final int SERVICE = 3;
    private static final int MANY = 600;
    /** Too long to share a message with others. */
    private static final int BYTES = 2048;
    /** What a node has besides. */
    private static final int OTHERS = 3;

    private Node server;
    private Node client;
    private Caller caller;

    private void open(Choice choice) {
        server = open(choice.hints());
        client = open(choice.hints());
        Service.open(server, SERVICE, call -> call.answer(call.request()),
                ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
        caller = Caller.open(client.peer(server.address().bytes()), SERVICE, CallerOptions.DEFAULT);
    }

    private static Node open(Hints hints) {
        try (hints) {
            return Node.open(hints.capabilities(Capability.MSG, Capability.TAGGED),
                    NodeOptions.DEFAULT.withCallerProgress());
        }
    }

    @AfterEach
    void close() {
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void calls(int atOnce) {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            byte[] request = new byte[BYTES];
            request[0] = (byte) i;
            answers.add(caller.call(request));
        }
        for (int i = 0; i < atOnce; i++) {
            CompletableFuture<byte[]> answer = answers.get(i);
            while (!answer.isDone()) {
                client.progress();
                server.progress();
            }
            assertThat(answer.join()[0]).isEqualTo((byte) i);
        }
    }

    private int receives() {
        return server.statistics().underWayOfNode();
    }

    @Test
    void asManyAsComeAtOnce() {
        open(Providers.SHM);
        calls(1);
        assertThat(receives()).isBetween(1, Demand.FEW + OTHERS);
        calls(MANY);
        int many = receives();
        assertThat(many).isGreaterThan(2 * Demand.FEW + OTHERS);
        for (int i = 0; i < 6 * Demand.LONG && receives() > Demand.FEW + OTHERS; i++) {
            calls(1);
        }
        assertThat(receives()).isBetween(1, Demand.FEW + OTHERS);
        calls(MANY);
        assertThat(receives()).isGreaterThan(2 * Demand.FEW + OTHERS);
    }

    /** Where what waits for its receive could be taken for something else. */
    @Test
    void allIfReceivesIgnoreBits() {
        open(Providers.SHM);
        calls(1);
        server.receiveMatching(server.allocate(8), 1, 2);
        calls(1);
        int most = 4 * Demand.FEW;
        if (Quirks.of(server.info().provider()).has(Quirk.EARLY_TAGS_BY_OTHER_MASKS)) {
            assertThat(receives()).isGreaterThan(most);
        } else {
            assertThat(receives()).isLessThan(most);
        }
    }

    @Test
    void allWhereMessagesShouldNotWait() {
        Providers.RXM.assumeOffered();
        open(Providers.RXM);
        assertThat(receives()).isGreaterThan(4 * Demand.FEW);
    }
}
