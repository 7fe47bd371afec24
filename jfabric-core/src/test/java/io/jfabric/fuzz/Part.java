// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.info.Capability;
import io.jfabric.option.BindFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Endpoints that can do, and have, only part of what there is: capabilities, directions, queues, counters. */
final class Part {
    /** Of so many endpoints, one has no address vector. */
    private static final int LOST = 20;
    private static final List<Capability> FAMILIES = List.of(Capability.MSG, Capability.TAGGED, Capability.RMA,
            Capability.ATOMIC);
    private static final List<Capability> MORE = List.of(Capability.SEND, Capability.RECV, Capability.READ,
            Capability.WRITE, Capability.REMOTE_READ, Capability.REMOTE_WRITE, Capability.SOURCE,
            Capability.DIRECTED_RECV, Capability.MULTI_RECV, Capability.RMA_EVENT, Capability.TRIGGER);
    private static final List<BindFlag> ROLES = List.of(BindFlag.TRANSMIT, BindFlag.RECV, BindFlag.READ,
            BindFlag.WRITE, BindFlag.REMOTE_READ, BindFlag.REMOTE_WRITE);

    private final Scene scene;
    private final Dice dice;

    Part(Scene scene, Dice dice) {
        this.scene = scene;
        this.dice = dice;
    }

    /** What to ask a provider for; empty if it may be asked for nothing of that kind. */
    Optional<Capability[]> wish(String provider) {
        List<Capability> wish = new ArrayList<>();
        wish.add(dice.of(FAMILIES));
        FAMILIES.stream().filter(family -> dice.percent(25) && !wish.contains(family)).forEach(wish::add);
        MORE.stream().filter(more -> dice.percent(20)).forEach(wish::add);
        Capability[] all = wish.toArray(Capability[]::new);
        return Known.allows(provider, all) ? Optional.of(all) : Optional.empty();
    }

    /** Gives an endpoint some queues and counters, and enables it. With no vector, or this one. */
    Endpoint furnish(Endpoint endpoint, Domain domain, AddressVector vector) {
        if (vector != null && !dice.oneIn(LOST)) {
            endpoint.bind(vector);
        }
        CompletionQueue queue = scene.queue(domain);
        switch (dice.below(8)) {
            case 0 -> bind(endpoint, queue, BindFlag.TRANSMIT);
            case 1 -> bind(endpoint, queue, BindFlag.RECV);
            case 2 -> {
                bind(endpoint, queue, BindFlag.TRANSMIT);
                bind(endpoint, scene.queue(domain), BindFlag.RECV);
            }
            case 3 -> scene.step("no queue");
            default -> bind(endpoint, queue, BindFlag.TRANSMIT, BindFlag.RECV);
        }
        for (int i = dice.of(0, 0, 1, 1, 2, 3); i > 0; i--) {
            BindFlag first = dice.of(ROLES);
            BindFlag[] more = ROLES.stream().filter(role -> dice.percent(30)).toArray(BindFlag[]::new);
            scene.attempt("counter " + first + ' ' + List.of(more),
                    () -> endpoint.bind(scene.keep(domain.openCounter()), first, more));
        }
        scene.step("enable");
        return endpoint.enable();
    }

    private void bind(Endpoint endpoint, CompletionQueue queue, BindFlag... directions) {
        List<BindFlag> flags = new ArrayList<>(List.of(directions));
        if (dice.percent(15)) {
            flags.add(BindFlag.SELECTIVE_COMPLETION);
        }
        scene.step("bind queue " + flags);
        endpoint.bind(queue, flags.toArray(BindFlag[]::new));
    }
}
