// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import io.jfabric.CompletionHandler;
import io.jfabric.RemoteRegion;
import io.jfabric.launch.Job;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How a rank reaches the others: by one provider, or by one inside its host and another between hosts. Each provider
 * has a link, and a rank is reached by one of them.
 */
public final class Routes implements AutoCloseable {
    private final Job job;
    private final List<Link> links = new ArrayList<>();
    private final long[] peers;

    /**
     * The way to a rank's memory.
     *
     * @param link of this rank
     * @param peer the other's address
     * @param memory the other's
     */
    public record Route(Link link, long peer, RemoteRegion memory) {
    }

    private Routes(Job job) {
        this.job = job;
        peers = new long[job.size()];
    }

    /**
     * Opens the links and exchanges their addresses with all ranks.
     *
     * @param providers a provider, such as tcp; or one for the own host and one for others, such as shm+tcp
     */
    public static Routes open(Job job, String providers) {
        Routes routes = new Routes(job);
        try {
            for (String provider : providers.split("\\+")) {
                routes.links.add(new Link(provider));
            }
            for (Link link : routes.links) {
                List<byte[]> addresses = job.exchange(link.endpoint().address().bytes());
                for (int rank = 0; rank < job.size(); rank++) {
                    if (routes.to(rank) == link) {
                        routes.peers[rank] = link.insert(addresses.get(rank));
                    }
                }
            }
            return routes;
        } catch (RuntimeException e) {
            routes.close();
            throw e;
        }
    }

    /** The link that leads to a rank. */
    private Link to(int rank) {
        return job.host(rank).equals(job.host()) ? links.getFirst() : links.getLast();
    }

    /** Memory that all links can use. */
    public MemorySegment allocate(long bytes) {
        return links.getFirst().allocate(bytes);
    }

    /**
     * Lets the others write to memory of this rank, and gets the same from them.
     *
     * @return the ways to the memory of all, by rank
     */
    public List<Route> open(MemorySegment memory) {
        List<Route> routes = new ArrayList<>(Collections.nCopies(job.size(), null));
        for (Link link : links) {
            List<byte[]> regions = job.exchange(link.endpoint().register(memory, MemoryAccess.REMOTE_WRITE).remote()
                    .toBytes());
            for (int rank = 0; rank < job.size(); rank++) {
                if (to(rank) == link) {
                    routes.set(rank, new Route(link, peers[rank], RemoteRegion.of(regions.get(rank))));
                }
            }
        }
        return routes;
    }

    /** Hands over what has completed on any link. */
    public int poll(CompletionHandler handler) {
        return links.stream().mapToInt(link -> link.poll(handler)).sum();
    }

    @Override
    public void close() {
        // memory of the first is used by all
        links.reversed().forEach(Link::close);
    }
}
