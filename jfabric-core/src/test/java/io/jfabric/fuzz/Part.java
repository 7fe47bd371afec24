// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.AddressVector;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An endpoint that can do, and has, only part of what there is: capabilities, directions, queues, counters. */
final class Part {
    /** Of so many endpoints, one has no address vector. */
    private static final int LOST = 20;
    /** More than providers copy at once. */
    private static final int LONG = 20_000;
    private static final int POLLS = 4;
    private static final List<Capability> FAMILIES = List.of(Capability.MSG, Capability.TAGGED, Capability.RMA,
            Capability.ATOMIC);
    private static final List<Capability> MORE = List.of(Capability.SEND, Capability.RECV, Capability.READ,
            Capability.WRITE, Capability.REMOTE_READ, Capability.REMOTE_WRITE, Capability.SOURCE,
            Capability.DIRECTED_RECV, Capability.MULTI_RECV, Capability.RMA_EVENT, Capability.TRIGGER);
    private static final List<BindFlag> ROLES = List.of(BindFlag.TRANSMIT, BindFlag.RECV, BindFlag.READ,
            BindFlag.WRITE, BindFlag.REMOTE_READ, BindFlag.REMOTE_WRITE);
    private static final MemorySegment OUT = Arena.global().allocate(LONG, 8).fill((byte) 7);
    private static final MemorySegment IN = Arena.global().allocate(LONG, 8);

    private final Scene scene;
    private final Dice dice;
    private final List<CompletionQueue> queues = new ArrayList<>();

    Part(Scene scene, Dice dice) {
        this.scene = scene;
        this.dice = dice;
    }

    /** Opens one that knows an endpoint, which knows it; lets them talk. */
    void open(String provider, EndpointType type, Domain domain, Endpoint first, AddressVector others) {
        Capability[] wish = wish();
        if (!Known.allows(provider, wish)) {
            return;
        }
        Tastes tastes = Tastes.of(dice);
        scene.step("part with " + Arrays.toString(wish) + ' ' + tastes);
        FabricInfo info;
        try (FabricInfoList infos = Scene.find(provider, type, tastes::apply, wish)) {
            info = scene.keep(infos.first().duplicate());
        }
        AddressVector own = dice.percent(30) ? others : scene.keep(domain.openAddressVector());
        Endpoint endpoint = furnish(scene.keep(domain.openEndpoint(info)), domain, own);
        long to = others.insert(endpoint.address());
        scene.peers.add(to);
        long back = own.insert(first.address());
        scene.families(endpoint);
        int longest = (int) Math.min(LONG, Known.longest(provider));
        for (int length : new int[] {8, longest}) {
            talk(first, endpoint, to, length);
            talk(endpoint, first, back, length);
        }
    }

    /** Connects one of these with another; each may lack what the other needs. */
    void connect(String provider, Domain domain, PassiveEndpoint listener, EventQueue there, EventQueue here) {
        Capability[] wish = wish();
        Tastes tastes = Tastes.of(dice);
        scene.step("part with " + Arrays.toString(wish) + ' ' + tastes);
        FabricInfo info;
        try (FabricInfoList infos = Scene.find(provider, EndpointType.MSG, tastes::apply, wish)) {
            info = scene.keep(infos.first().duplicate().sourceAddress((Address) null));
        }
        Endpoint client = furnish(scene.keep(domain.openEndpoint(info)).bind(here), domain, null);
        client.connect(listener.address());
        if (!(Scene.event(there, here) instanceof FabricEvent.ConnectionRequest request)) {
            return;
        }
        Endpoint server = furnish(scene.keep(domain.openEndpoint(scene.keep(request).info())).bind(there), domain,
                null);
        server.accept();
        Scene.event(there, here);
        Scene.event(here, there);
        scene.families(client);
        scene.families(server);
        for (int length : new int[] {8, LONG}) {
            talk(client, server, 0, length);
            talk(server, client, 0, length);
        }
    }

    private Capability[] wish() {
        List<Capability> wish = new ArrayList<>();
        wish.add(dice.of(FAMILIES));
        FAMILIES.stream().filter(family -> dice.percent(25) && !wish.contains(family)).forEach(wish::add);
        MORE.stream().filter(more -> dice.percent(20)).forEach(wish::add);
        return wish.toArray(Capability[]::new);
    }

    private Endpoint furnish(Endpoint endpoint, Domain domain, AddressVector vector) {
        if (vector != null && !dice.oneIn(LOST)) {
            endpoint.bind(vector);
        }
        switch (dice.below(8)) {
            case 0, 1 -> bind(endpoint, queue(domain), BindFlag.TRANSMIT);
            case 2, 3 -> bind(endpoint, queue(domain), BindFlag.RECV);
            case 4 -> {
                bind(endpoint, queue(domain), BindFlag.TRANSMIT);
                bind(endpoint, queue(domain), BindFlag.RECV);
            }
            case 5 -> scene.step("no queue");
            default -> bind(endpoint, queue(domain), BindFlag.TRANSMIT, BindFlag.RECV);
        }
        for (int i = dice.of(0, 0, 1, 1, 2, 3); i > 0; i--) {
            BindFlag role = dice.of(ROLES);
            BindFlag[] more = ROLES.stream().filter(other -> dice.percent(30)).toArray(BindFlag[]::new);
            scene.attempt("counter " + role + ' ' + List.of(more),
                    () -> endpoint.bind(scene.keep(domain.openCounter()), role, more));
        }
        scene.step("enable");
        return endpoint.enable();
    }

    private CompletionQueue queue(Domain domain) {
        CompletionQueue queue = scene.queue(domain);
        queues.add(queue);
        return queue;
    }

    private void bind(Endpoint endpoint, CompletionQueue queue, BindFlag first, BindFlag... others) {
        List<BindFlag> more = new ArrayList<>(List.of(others));
        if (dice.percent(15)) {
            more.add(BindFlag.SELECTIVE_COMPLETION);
        }
        scene.step("bind queue " + first + ' ' + more);
        endpoint.bind(queue, first, more.toArray(BindFlag[]::new));
    }

    private void talk(Endpoint from, Endpoint to, long where, int length) {
        MemorySegment out = OUT.asSlice(0, length);
        scene.attempt("receive " + length, () -> to.messages().receive(IN, -1, 1));
        scene.attempt("send " + length, () -> from.messages().send(out, where, 2));
        scene.attempt("receive tagged " + length, () -> to.tagged().receive(IN, -1, 5, 0, 3));
        scene.attempt("send tagged " + length, () -> from.tagged().send(out, where, 5, 4));
        CompletionHandler nothing = completion -> { };
        for (int i = 0; i < POLLS; i++) {
            queues.forEach(queue -> scene.attempt("poll", () -> queue.poll(nothing, 8)));
            scene.progress();
        }
    }
}
