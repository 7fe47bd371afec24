// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Two nodes of one provider in one process that know each other; of type {@link EndpointType#MSG} they are connected.
 * Thread-safe, as nodes are. What never ends fails after the nodes' deadline; receives have none: {@link #await} does.
 *
 * <p>With shm of libfabric 2.5 or newer, messages of more than a few KiB to a node of the same process that has spoken
 * first crash. A peer in a {@link ChildJvm} has no such limit.
 */
public final class NodePair implements AutoCloseable {
    /** One node. */
    public final Node a;
    /** The other node. */
    public final Node b;
    /** {@link #b}, as {@link #a} knows it. */
    public final Peer toB;
    /** {@link #a}, as {@link #b} knows it. */
    public final Peer toA;

    private NodePair(Node a, Node b, Peer toB, Peer toA) {
        this.a = a;
        this.b = b;
        this.toB = toB;
        this.toA = toA;
    }

    /** With all that the provider has by itself. */
    public static NodePair open(Providers.Choice choice) {
        return open(choice, hints -> { });
    }

    /**
     * {@code more} adds hints. Where these are capabilities, the nodes have no others: start from those of
     * {@link Hints#rdm()}.
     */
    public static NodePair open(Providers.Choice choice, Consumer<Hints> more) {
        return open(choice, more, NodeOptions.DEFAULT);
    }

    /** Both nodes have these options. */
    public static NodePair open(Providers.Choice choice, Consumer<Hints> more, NodeOptions options) {
        try (FabricInfoList infos = choice.find(more)) {
            List<Node> opened = new ArrayList<>();
            try {
                opened.add(Node.open(infos.first(), options));
                opened.add(Node.open(infos.first(), options));
                Node a = opened.getFirst();
                Node b = opened.getLast();
                return choice.type() == EndpointType.MSG ? connect(a, b)
                        : new NodePair(a, b, a.peer(b.address()), b.peer(a.address()));
            } catch (Throwable t) {
                Closing.after(t, () -> Closing.all(opened));
                throw t;
            }
        }
    }

    private static NodePair connect(Node a, Node b) {
        try (NodeListener listener = b.listen()) {
            CompletableFuture<Peer> toA = listener.next().thenCompose(ConnectionOffer::accept);
            CompletableFuture<Peer> toB = a.connect(listener.address());
            // also of nodes that leave progress to the caller
            Waits.spin("the nodes are connected", () -> {
                a.progress();
                b.progress();
                return toA.isDone() && toB.isDone() || toB.isCompletedExceptionally();
            });
            return new NodePair(a, b, toB.join(), toA.join());
        }
    }

    /**
     * Waits for what one of the nodes has begun, and fails after {@link Waits#DEADLINE}: receives have no deadline of
     * their own. Both nodes make progress meanwhile, also if they leave that to the caller.
     *
     * @param future of one of the nodes, or derived from it
     * @param <T> what it gives
     * @return what it gives
     * @throws java.util.concurrent.CompletionException if it failed
     */
    public <T> T await(CompletableFuture<T> future) {
        return await(future, Waits.DEADLINE);
    }

    <T> T await(CompletableFuture<T> future, Duration longest) {
        Waits.done(() -> "the operation is done", longest, List.of(a, b), future);
        return future.join();
    }

    @Override
    public void close() {
        Closing.all(List.of(a, b));
    }
}
