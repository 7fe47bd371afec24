// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.async.Group;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Some nodes of one provider in one process, all members of one {@link Group}. Thread-safe, as nodes and groups are;
 * what is true of a {@link NodePair} in one process is true of these.
 */
public final class NodeGroup implements AutoCloseable {
    /** By their ranks. */
    public final List<Node> nodes;
    /** What each node has of the group, by their ranks. */
    public final List<Group> groups;
    private final List<Node> opened = new ArrayList<>();
    private final List<Group> joined = new ArrayList<>();

    private NodeGroup(FabricInfoList infos, int size, NodeOptions options) {
        nodes = Collections.unmodifiableList(opened);
        groups = Collections.unmodifiableList(joined);
        try {
            for (int i = 0; i < size; i++) {
                opened.add(Node.open(infos.first(), options));
            }
            for (Node node : opened) {
                joined.add(Group.ofAddresses(node, addresses()));
            }
        } catch (Throwable t) {
            Closing.after(t, this::close);
            throw t;
        }
    }

    /** With all that the provider has by itself. */
    public static NodeGroup open(Providers.Choice choice, int size) {
        return open(choice, size, hints -> { }, NodeOptions.DEFAULT);
    }

    /**
     * {@code more} adds hints; all nodes have these options. Where capabilities are among the hints, the nodes have no
     * others: start from those of {@link Hints#rdm()}.
     */
    public static NodeGroup open(Providers.Choice choice, int size, Consumer<Hints> more, NodeOptions options) {
        if (size < 1) {
            throw new IllegalArgumentException("size " + size + ": a group needs at least one node");
        }
        try (FabricInfoList infos = choice.find(more)) {
            return new NodeGroup(infos, size, options);
        }
    }

    /** Of all nodes, by their ranks: what {@link Group#ofAddresses(Node, String, List)} makes another group of. */
    public List<byte[]> addresses() {
        return nodes.stream().map(node -> node.address().bytes()).toList();
    }

    /**
     * Starts an operation at each member, then waits for all of them, and fails after {@link Waits#DEADLINE}. The nodes
     * make progress meanwhile, also if they leave that to the caller.
     */
    public <T> List<T> all(Function<Group, CompletableFuture<T>> start) {
        return all(start, Waits.DEADLINE);
    }

    <T> List<T> all(Function<Group, CompletableFuture<T>> start, Duration longest) {
        List<CompletableFuture<T>> futures = groups.stream().map(start).toList();
        Waits.done(() -> "all members are done, where ranks " + IntStream.range(0, futures.size())
                .filter(rank -> !futures.get(rank).isDone()).boxed().toList() + " are not", longest, nodes,
                CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)));
        return futures.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void close() {
        Closing.all(Stream.concat(joined.stream(), opened.stream()).toList());
    }
}
