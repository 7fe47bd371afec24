// SPDX-License-Identifier: Apache-2.0
package io.jfabric.micrometer;

import io.jfabric.DomainStatistics;
import io.jfabric.OperationStatistics;
import io.jfabric.async.BufferPool;
import io.jfabric.async.Caller;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is read of each type of object. */
final class Readings {
    static final List<Reading<Caller>> CALLER = List.<Reading<Caller>>of(
            Reading.counter("jfabric.calls.answered", "calls that were answered", Caller::answered),
            Reading.counter("jfabric.calls.refused", "calls that were refused, as too many wait", Caller::refused),
            Reading.counter("jfabric.calls.late", "calls whose deadline passed", Caller::late),
            Reading.counter("jfabric.calls.failed", "calls that ended in another way", Caller::failed),
            Reading.gauge("jfabric.calls.underway", "calls that are with the service", Caller::underWay),
            Reading.gauge("jfabric.calls.waiting", "calls that wait for a place in the window", Caller::waiting));
    static final List<Reading<Service>> SERVICE = List.<Reading<Service>>of(
            Reading.counter("jfabric.calls.answered", "calls that were answered", Service::answered),
            Reading.counter("jfabric.calls.refused", "calls that were refused, as there are too many",
                    Service::refused),
            Reading.counter("jfabric.calls.late", "calls that were dropped, as they were late", Service::late),
            Reading.counter("jfabric.calls.invalid", "messages that were dropped, as they were invalid",
                    Service::invalid),
            Reading.gauge("jfabric.calls.underway", "calls that are with the handler", Service::underWay),
            Reading.gauge("jfabric.callers", "callers that the service has", Service::callers));
    static final List<Reading<KeepAlive>> KEEP_ALIVE = List.<Reading<KeepAlive>>of(
            Reading.gauge("jfabric.peers.watched", "peers that are watched", KeepAlive::watched),
            Reading.counter("jfabric.peers.ended", "peers that were down, started again or closed",
                    KeepAlive::ended));
    static final List<Reading<BufferPool>> POOL = List.<Reading<BufferPool>>of(
            Reading.gauge("jfabric.pool.buffers", "buffers that there can be",
                    pool -> pool.isOpen() ? pool.capacity() : 0),
            Reading.gauge("jfabric.pool.taken", "buffers that are taken",
                    pool -> pool.isOpen() ? pool.taken() : 0));

    private Readings() {
    }

    /** With all that the provider has. */
    static <T> List<Reading<T>> operations(Function<T, OperationStatistics> of) {
        return both(counts(of), List.of(
                Reading.gauge("jfabric.operations.underway", "operations that the provider has",
                        s -> of.apply(s).underWay())));
    }

    private static <T> List<Reading<T>> counts(Function<T, OperationStatistics> of) {
        return List.of(
                Reading.counter("jfabric.operations.posted", "operations that the provider took",
                        s -> of.apply(s).posted()),
                Reading.counter("jfabric.operations.completed", "operations that are over",
                        s -> of.apply(s).completed()),
                Reading.counter("jfabric.operations.errors", "operations that ended with an error",
                        s -> of.apply(s).errors()),
                Reading.counter("jfabric.operations.busy", "how often the provider said \"again\"",
                        s -> of.apply(s).busy()));
    }

    static <T> List<Reading<T>> domain(Function<T, DomainStatistics> of) {
        return both(operations(s -> of.apply(s).operations()), resources(of));
    }

    private static <T> List<Reading<T>> resources(Function<T, DomainStatistics> of) {
        return List.of(
                Reading.gauge("jfabric.endpoints", "open endpoints", s -> of.apply(s).endpoints()),
                Reading.gauge("jfabric.regions", "open memory regions", s -> of.apply(s).regions()),
                Reading.<T>gauge("jfabric.registered", "memory that is registered", s -> of.apply(s).registeredBytes())
                        .inBytes());
    }

    static List<Reading<Node>> node() {
        return both(both(counts(node -> node.statistics().domain().operations()),
                resources(node -> node.statistics().domain())), List.of(
                Reading.gauge("jfabric.operations.underway", "operations of the program's that the provider has",
                        node -> node.statistics().underWayOfProgram()),
                Reading.gauge("jfabric.operations.own", "operations of calls, groups and keep-alive, also while idle",
                        node -> node.statistics().underWayOfNode()),
                Reading.gauge("jfabric.operations.waiting", "operations that wait for the provider, a peer or a limit",
                        node -> node.statistics().waiting()),
                Reading.<Node>counter("jfabric.bytes", "bytes that operations have moved",
                        node -> node.statistics().bytesSent()).with("direction", "sent").inBytes(),
                Reading.<Node>counter("jfabric.bytes", "bytes that operations have moved",
                        node -> node.statistics().bytesReceived()).with("direction", "received").inBytes()));
    }

    private static <T> List<Reading<T>> both(List<Reading<T>> first, List<Reading<T>> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
