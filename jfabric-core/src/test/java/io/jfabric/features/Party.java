// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EndpointOption;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** One of the two processes: an endpoint that knows the other's. One thread. */
final class Party implements AutoCloseable {
    /** The most that a message has in the trial of multi-receives. */
    static final long MULTI_RECEIVE_MINIMUM = 1024;
    /** From 2.0 on they take the option before they are enabled only. */
    static final Set<String> EARLY = Set.of("shm", "tcp;ofi_rxm", "verbs;ofi_rxm");
    private static final HexFormat HEX = HexFormat.of();

    final Providers.Choice choice;
    final boolean left;
    final Link link;
    final Arena arena = Arena.ofShared();
    final FabricInfo info;
    final Fabric fabric;
    final Domain domain;
    Side side;
    /** Of received messages; null unless the feature is about counters. */
    Counter counter;
    private EventQueue events;
    private final Feature feature;

    /** Opens nothing but the domain; {@link #meet} does the rest. */
    Party(Providers.Choice choice, Feature feature, boolean left, Link link) {
        this.choice = choice;
        this.feature = feature;
        this.left = left;
        this.link = link;
        try (FabricInfoList infos = choice.find(feature::ask)) {
            info = infos.first().duplicate();
        }
        fabric = Fabric.open(info);
        domain = fabric.openDomain(info);
    }

    /** Opens an endpoint and gets to know the other's. */
    void meet() {
        if (choice.type() == EndpointType.MSG) {
            events = fabric.openEventQueue();
            if (left) {
                connect();
            } else {
                accept();
            }
            return;
        }
        side = open(info);
        side.endpoint.enable();
        link.tell(HEX.formatHex(side.endpoint.address().bytes()));
        side.peer = side.addresses.insert(HEX.parseHex(hear()));
    }

    private Side open(FabricInfo endpointInfo) {
        // efa of 1.17 reports no tags where there are none
        CompletionQueueAttributes attributes = CompletionQueueAttributes.of(
                choice.type() == EndpointType.DGRAM && feature != Feature.TAGGED ? CompletionFormat.DATA
                        : CompletionFormat.TAGGED);
        CompletionQueue queue = domain.openCompletionQueue(
                feature == Feature.BLOCKING ? attributes.withWaitObject(WaitObject.UNSPEC) : attributes);
        Endpoint endpoint = domain.openEndpoint(endpointInfo).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV);
        AddressVector addresses = null;
        if (events != null) {
            endpoint.bind(events);
        } else {
            addresses = domain.openAddressVector();
            endpoint.bind(addresses);
        }
        if (feature == Feature.COUNTERS) {
            counter = domain.openCounter();
            endpoint.bind(counter, BindFlag.RECV);
        }
        if (feature == Feature.MULTI_RECEIVE && EARLY.contains(choice.provider())) {
            endpoint.setOption(EndpointOption.MIN_MULTI_RECV, MULTI_RECEIVE_MINIMUM);
        }
        return new Side(endpoint, queue, addresses);
    }

    private void accept() {
        PassiveEndpoint listener = fabric.openPassiveEndpoint(info).bind(events).listen();
        link.tell(HEX.formatHex(listener.address().bytes()));
        try (FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) event()) {
            side = open(request.info());
        }
        side.endpoint.enable().accept();
        event();
    }

    private void connect() {
        Address listener = Address.of(info.addressFormat(), HEX.parseHex(hear()));
        try (FabricInfo any = info.duplicate()) {
            side = open(any.sourceAddress((Address) null));
        }
        side.endpoint.enable().connect(listener);
        event();
    }

    private FabricEvent event() {
        return until("an event", () -> events.poll().orElse(null));
    }

    String hear() {
        return link.hear(this::progress);
    }

    void progress() {
        if (side != null && side.endpoint.isOpen()) {
            side.poll();
        }
    }

    /** Both get here before either goes on. */
    void together(String where) {
        link.tell(where);
        String other = hear();
        if (!other.equals(where)) {
            throw new AssertionError("here: " + where + ", there: " + other);
        }
    }

    /** Repeats an operation until the provider takes it. */
    void post(BooleanSupplier operation) {
        until("the provider to take it", () -> operation.getAsBoolean() ? true : null);
    }

    /** Waits for a completion; an error is thrown. */
    Done await(long context) {
        return await(done -> done.context() == context);
    }

    Done await(Predicate<Done> which) {
        Done done = awaitAny(which);
        if (done.error() != null) {
            throw done.error().toException();
        }
        return done;
    }

    /** Waits for a completion or error. */
    Done awaitAny(Predicate<Done> which) {
        return until("a completion", () -> side.take(which));
    }

    private <T> T until(String what, Supplier<T> result) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30L * Link.PATIENCE);
        while (true) {
            T found = result.get();
            if (found != null) {
                return found;
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long for " + what);
            }
            progress();
            Thread.onSpinWait();
        }
    }

    void expect(MemorySegment expected, MemorySegment got) {
        long at = expected.mismatch(got);
        if (at >= 0) {
            throw new AssertionError("wrong byte at " + at + " of " + expected.byteSize());
        }
    }

    void expect(String what, long expected, long got) {
        if (expected != got) {
            throw new AssertionError(what + " is " + got + ", not " + expected);
        }
    }

    @Override
    public void close() {
        fabric.close();
        info.close();
        arena.close();
    }
}
