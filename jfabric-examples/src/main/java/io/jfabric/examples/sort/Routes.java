// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Hints;
import io.jfabric.launch.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a rank reaches the others: by one provider, or by one inside its host and another between hosts. Each provider
 * has a node, and a peer is at the node that leads to it.
 */
public final class Routes implements AutoCloseable {
    private static final NodeOptions OPTIONS = NodeOptions.DEFAULT.withDeadline(Duration.ofMinutes(10));

    private final List<Node> nodes = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();

    /**
     * The way to a rank.
     *
     * @param provider its name
     * @param node of this rank
     * @param peer the other
     */
    public record Route(String provider, Node node, Peer peer) {
    }

    private Routes() {
    }

    /**
     * Opens the nodes and exchanges their addresses with all ranks.
     *
     * @param providers a provider, such as tcp; or one for the own host and one for others, such as shm+tcp
     */
    public static Routes open(Job job, String providers) {
        Routes routes = new Routes();
        try {
            routes.add(job, providers.split("\\+"));
            return routes;
        } catch (RuntimeException e) {
            routes.close();
            throw e;
        }
    }

    private void add(Job job, String... providers) {
        List<List<byte[]>> addresses = new ArrayList<>();
        for (String provider : providers) {
            try (Hints hints = Hints.rdm().provider(provider)) {
                Node node = Node.open(hints, OPTIONS);
                nodes.add(node);
                addresses.add(job.exchange(node.address().bytes()));
            }
        }
        for (int rank = 0; rank < job.size(); rank++) {
            int way = job.host(rank).equals(job.host()) ? 0 : providers.length - 1;
            Node node = nodes.get(way);
            routes.add(new Route(providers[way], node, node.peer(addresses.get(way).get(rank))));
        }
    }

    /** By rank. */
    public Route to(int rank) {
        return routes.get(rank);
    }

    /** A node of this rank: for memory, which all of them can use. */
    public Node any() {
        return nodes.getFirst();
    }

    @Override
    public void close() {
        // memory of the first is used by all
        nodes.reversed().forEach(Node::close);
    }
}
