// SPDX-License-Identifier: Apache-2.0
package io.jfabric.micrometer;

import io.jfabric.Domain;
import io.jfabric.DomainStatistics;
import io.jfabric.Endpoint;
import io.jfabric.OperationStatistics;
import io.jfabric.async.BufferPool;
import io.jfabric.async.Caller;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.NodeStatistics;
import io.jfabric.async.Service;
import io.jfabric.info.FabricInfo;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The counts of a node, a domain, an endpoint, a caller, a service, a keep-alive or a pool of buffers as meters. They
 * are read when the registry is read, and cost the operations nothing. Each meter has the tags of the program, and but
 * for those of pools the tags {@code provider} and {@code domain}. The tag {@code number} tells open objects apart that
 * otherwise have the same tags: it is 1 for the first of them, and what takes the place of one that was closed gets its
 * number; the program may give this tag itself.
 * Meters take the place of those with the same name and tags, so that what is closed and opened again is measured
 * again.
 *
 * <ul>
 *   <li>Operations, of nodes, domains and endpoints, with the tag {@code object}, {@code node}, {@code domain} or
 *       {@code endpoint}: those of a node's own domain are the node's, too, so add up only one of them. Counters
 *       {@code jfabric.operations.posted}, {@code .completed}, {@code .errors}, {@code .busy} (how often the provider
 *       said "again"); gauge {@code jfabric.operations.underway}. These count what the provider does: an operation that
 *       has failed at its deadline is under way until the provider lets go of it, and counts by what the provider says
 *       then, which may be success. Under way of a node are only operations that the program has started there: they
 *       are 0 while it is idle. Those of calls, groups and keep-alive are in the gauge {@code jfabric.operations.own}:
 *       up to some hundreds of receives wait for their messages. Those of domains and endpoints are all together.
 *   <li>Of nodes and domains, gauges {@code jfabric.endpoints}, {@code jfabric.regions} and
 *       {@code jfabric.registered}, in bytes.
 *   <li>Of nodes, the gauge {@code jfabric.operations.waiting} and the counter {@code jfabric.bytes} with the tag
 *       {@code direction}, {@code sent} or {@code received}.
 *   <li>Calls, with the tag {@code side}, {@code caller} or {@code service}. Counters {@code jfabric.calls.answered},
 *       {@code .refused} and {@code .late}; {@code .failed} of callers and {@code .invalid} of services; gauges
 *       {@code jfabric.calls.underway}, {@code .waiting} of callers, and {@code jfabric.callers} of services.
 *   <li>Of keep-alives, the gauge {@code jfabric.peers.watched} and the counter {@code jfabric.peers.ended}.
 *   <li>Of pools, the gauges {@code jfabric.pool.buffers}, the capacity, and {@code jfabric.pool.taken}.
 * </ul>
 *
 * <p>Meters do not keep their object from being collected. Once it is closed, counters stay as they were read last and
 * gauges are 0 (of a service, once its handlers have returned), or NaN when it was collected; {@link #close} takes the
 * meters out of the registry. What the names mean: {@link OperationStatistics}, {@link DomainStatistics},
 * {@link NodeStatistics}, and the methods of {@link Caller}, {@link Service}, {@link KeepAlive} and {@link BufferPool}.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type that is counted
 */
public final class FabricMetrics<T> implements MeterBinder, AutoCloseable {
    /** A meter of ours, and where it is. */
    private record Bound(MeterRegistry registry, Meter meter) {
    }

    private static final String NUMBER = "number";

    private final T source;
    private final Tags tags;
    private final List<Reading<T>> readings;
    private final List<Bound> bound = new ArrayList<>();

    private FabricMetrics(T source, Tags tags, Predicate<T> isOpen, List<Reading<T>> readings) {
        this.source = source;
        this.tags = tags.stream().anyMatch(tag -> tag.getKey().equals(NUMBER)) ? tags
                : tags.and(NUMBER, Integer.toString(Numbers.of(source, tags, isOpen)));
        this.readings = readings;
    }

    private static Tags of(FabricInfo info, Tag[] tags) {
        return Tags.of("provider", info.provider(), "domain", info.domain().name().orElse("")).and(of(tags));
    }

    private static Tags of(Tag[] tags) {
        return Tags.of(Objects.requireNonNull(tags, "FabricMetrics.of: the tags are null"));
    }

    /**
     * Those of a node.
     *
     * @param node the node
     * @param tags more tags
     * @return to be bound to a registry
     */
    public static FabricMetrics<Node> of(Node node, Tag... tags) {
        Objects.requireNonNull(node, "FabricMetrics.of: the node is null");
        return new FabricMetrics<>(node, of(node.info(), tags).and("object", "node"), Node::isOpen,
                Readings.node());
    }

    /**
     * Those of a domain, with all its endpoints.
     *
     * @param domain the domain
     * @param tags more tags
     * @return to be bound to a registry
     */
    public static FabricMetrics<Domain> of(Domain domain, Tag... tags) {
        Objects.requireNonNull(domain, "FabricMetrics.of: the domain is null");
        return new FabricMetrics<>(domain, of(domain.info(), tags).and("object", "domain"), Domain::isOpen,
                Readings.domain(Domain::statistics));
    }

    /**
     * Those of an endpoint.
     *
     * @param endpoint the endpoint
     * @param tags more tags
     * @return to be bound to a registry
     */
    public static FabricMetrics<Endpoint> of(Endpoint endpoint, Tag... tags) {
        Objects.requireNonNull(endpoint, "FabricMetrics.of: the endpoint is null");
        return new FabricMetrics<>(endpoint, of(endpoint.info(), tags).and("object", "endpoint"), Endpoint::isOpen,
                Readings.operations(Endpoint::statistics));
    }

    /**
     * Those of a caller.
     *
     * @param caller the caller
     * @param tags more tags
     * @return to be bound to a registry
     */
    public static FabricMetrics<Caller> of(Caller caller, Tag... tags) {
        Objects.requireNonNull(caller, "FabricMetrics.of: the caller is null");
        return new FabricMetrics<>(caller, of(caller.peer().node().info(), tags).and("side", "caller"),
                Caller::isOpen, Readings.CALLER);
    }

    /**
     * Those of a service.
     *
     * @param service the service
     * @param tags more tags
     * @return to be bound to a registry
     */
    public static FabricMetrics<Service> of(Service service, Tag... tags) {
        Objects.requireNonNull(service, "FabricMetrics.of: the service is null");
        return new FabricMetrics<>(service, of(service.node().info(), tags).and("side", "service"),
                Service::isOpen, Readings.SERVICE);
    }

    /**
     * Those of a keep-alive.
     *
     * @param alive the keep-alive
     * @param tags more tags
     * @return to be bound to a registry
     */
    public static FabricMetrics<KeepAlive> of(KeepAlive alive, Tag... tags) {
        Objects.requireNonNull(alive, "FabricMetrics.of: the keep-alive is null");
        return new FabricMetrics<>(alive, of(alive.node().info(), tags), KeepAlive::isOpen, Readings.KEEP_ALIVE);
    }

    /**
     * Those of a pool of buffers.
     *
     * @param pool the pool
     * @param tags all its tags but {@code number}
     * @return to be bound to a registry
     */
    public static FabricMetrics<BufferPool> of(BufferPool pool, Tag... tags) {
        Objects.requireNonNull(pool, "FabricMetrics.of: the pool is null");
        return new FabricMetrics<>(pool, of(tags), BufferPool::isOpen, Readings.POOL);
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "FabricMetrics.bindTo: the registry is null");
        for (Reading<T> reading : readings) {
            bound.add(new Bound(registry, reading.register(registry, source, tags)));
        }
    }

    /** Takes its meters out of the registries that it was bound to, but for those that others took the place of. */
    @Override
    public synchronized void close() {
        for (Bound one : bound) {
            if (one.registry.getMeters().stream().anyMatch(meter -> meter == one.meter)) {
                one.registry.remove(one.meter);
            }
        }
        bound.clear();
    }
}
