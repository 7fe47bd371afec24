// SPDX-License-Identifier: Apache-2.0
package io.jfabric.micrometer;

import io.jfabric.Domain;
import io.jfabric.DomainStatistics;
import io.jfabric.Endpoint;
import io.jfabric.OperationStatistics;
import io.jfabric.async.Node;
import io.jfabric.async.NodeStatistics;
import io.jfabric.info.FabricInfo;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The counts of a node, a domain or an endpoint as meters. They are read when the registry is read, and cost the
 * operations nothing. Each meter has the tags {@code provider} and {@code domain}, and those of the program. If there
 * are several nodes, domains or endpoints, their tags must differ: meters take the place of those with the same name
 * and tags, so that what is closed and opened again is measured again.
 *
 * <p>Counters: {@code jfabric.operations.posted}, {@code .completed}, {@code .errors}, {@code .busy} (how often the
 * provider said "again"), and of nodes {@code jfabric.bytes} with the tag {@code direction}, {@code sent} or
 * {@code received}. Gauges: {@code jfabric.operations.underway}, and {@code .waiting} of nodes; of nodes and domains
 * {@code jfabric.endpoints}, {@code jfabric.regions} and {@code jfabric.registered}, in bytes. These count what the
 * provider does: an operation that has failed at its deadline is under way until the provider lets go of it, and counts
 * by what the provider says then, which may be success.
 *
 * <p>Meters do not keep their node, domain or endpoint from being collected. Once it is closed, counters stay as they
 * were read last and gauges are 0, or NaN when it was collected; {@link #close} takes the meters out of the registry.
 * What the names mean: {@link OperationStatistics}, {@link DomainStatistics}, {@link NodeStatistics}.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type that is counted
 */
public final class FabricMetrics<T> implements MeterBinder, AutoCloseable {
    /** A meter of ours, and where it is. */
    private record Bound(MeterRegistry registry, Meter meter) {
    }

    private final T source;
    private final Tags tags;
    private final Function<T, OperationStatistics> operations;
    private final Function<T, DomainStatistics> domain;
    private final Function<T, NodeStatistics> node;
    private final List<Bound> bound = new ArrayList<>();

    private FabricMetrics(T source, FabricInfo info, Iterable<Tag> tags, Function<T, OperationStatistics> operations,
            Function<T, DomainStatistics> domain, Function<T, NodeStatistics> node) {
        this.source = source;
        this.tags = Tags.of("provider", info.provider(), "domain", info.domain().name())
                .and(Objects.requireNonNull(tags, "FabricMetrics.of: the tags are null"));
        this.operations = operations;
        this.domain = domain;
        this.node = node;
    }

    /**
     * Those of a node.
     *
     * @param node the node
     * @param tags more tags; those of several nodes must differ
     * @return to be bound to a registry
     */
    public static FabricMetrics<Node> of(Node node, Tag... tags) {
        Objects.requireNonNull(node, "FabricMetrics.of: the node is null");
        return new FabricMetrics<>(node, node.info(), Tags.of(tags), n -> n.statistics().domain().operations(),
                n -> n.statistics().domain(), Node::statistics);
    }

    /**
     * Those of a domain, with all its endpoints.
     *
     * @param domain the domain
     * @param tags more tags; those of several domains must differ
     * @return to be bound to a registry
     */
    public static FabricMetrics<Domain> of(Domain domain, Tag... tags) {
        Objects.requireNonNull(domain, "FabricMetrics.of: the domain is null");
        return new FabricMetrics<>(domain, domain.info(), Tags.of(tags), d -> d.statistics().operations(),
                Domain::statistics, null);
    }

    /**
     * Those of an endpoint.
     *
     * @param endpoint the endpoint
     * @param tags more tags; those of several endpoints must differ
     * @return to be bound to a registry
     */
    public static FabricMetrics<Endpoint> of(Endpoint endpoint, Tag... tags) {
        Objects.requireNonNull(endpoint, "FabricMetrics.of: the endpoint is null");
        return new FabricMetrics<>(endpoint, endpoint.info(), Tags.of(tags), Endpoint::statistics, null, null);
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "FabricMetrics.bindTo: the registry is null");
        // in locals: what meters read with must not know this, which knows the source
        Function<T, OperationStatistics> operations = this.operations;
        Function<T, DomainStatistics> domain = this.domain;
        Function<T, NodeStatistics> node = this.node;
        counter(registry, "posted", "operations that the provider took", OperationStatistics::posted);
        counter(registry, "completed", "operations that are over", OperationStatistics::completed);
        counter(registry, "errors", "operations that ended with an error", OperationStatistics::errors);
        counter(registry, "busy", "how often the provider said \"again\"", OperationStatistics::busy);
        gauge(registry, "jfabric.operations.underway", "operations that the provider has", null,
                s -> operations.apply(s).underWay());
        if (domain != null) {
            gauge(registry, "jfabric.endpoints", "open endpoints", null, s -> domain.apply(s).endpoints());
            gauge(registry, "jfabric.regions", "open memory regions", null, s -> domain.apply(s).regions());
            gauge(registry, "jfabric.registered", "memory that is registered", "bytes",
                    s -> domain.apply(s).registeredBytes());
        }
        if (node != null) {
            gauge(registry, "jfabric.operations.waiting", "operations that wait for the provider, a peer or a limit",
                    null, s -> node.apply(s).waiting());
            bytes(registry, "sent", NodeStatistics::bytesSent);
            bytes(registry, "received", NodeStatistics::bytesReceived);
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

    /** In place of one of the same name and tags, which the registry would keep: its source may be closed. */
    private void register(MeterRegistry registry, String name, Tags all, Meter.Type type,
            Function<MeterRegistry, Meter> meter) {
        registry.removeByPreFilterId(new Meter.Id(name, all, null, null, type));
        bound.add(new Bound(registry, meter.apply(registry)));
    }

    private void counter(MeterRegistry registry, String what, String description,
            ToDoubleFunction<OperationStatistics> count) {
        Function<T, OperationStatistics> operations = this.operations;
        String name = "jfabric.operations." + what;
        register(registry, name, tags, Meter.Type.COUNTER, FunctionCounter.builder(name, source,
                lasting(s -> count.applyAsDouble(operations.apply(s)))).tags(tags).description(description)::register);
    }

    private void bytes(MeterRegistry registry, String direction, ToDoubleFunction<NodeStatistics> count) {
        Function<T, NodeStatistics> node = this.node;
        Tags all = tags.and("direction", direction);
        register(registry, "jfabric.bytes", all, Meter.Type.COUNTER, FunctionCounter.builder("jfabric.bytes", source,
                lasting(s -> count.applyAsDouble(node.apply(s)))).tags(all).baseUnit("bytes")
                .description("bytes that operations have moved")::register);
    }

    private void gauge(MeterRegistry registry, String name, String description, String unit,
            ToDoubleFunction<T> value) {
        register(registry, name, tags, Meter.Type.GAUGE, Gauge.builder(name, source, s -> orWhenClosed(value, s, 0))
                .tags(tags).description(description).baseUnit(unit)::register);
    }

    /**
     * What was read last, once the object is closed. An attempt that the provider turns down counts for a moment, and
     * what falls looks as if it had begun anew: it never does. Does not know the object, so that it may be collected.
     */
    private static <S> ToDoubleFunction<S> lasting(ToDoubleFunction<S> count) {
        double[] last = new double[1];
        return s -> {
            synchronized (last) {
                last[0] = Math.max(last[0], orWhenClosed(count, s, last[0]));
                return last[0];
            }
        };
    }

    private static <S> double orWhenClosed(ToDoubleFunction<S> count, S source, double then) {
        try {
            return count.applyAsDouble(source);
        } catch (IllegalStateException closed) {
            return then;
        }
    }
}
