// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.Group;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * What exists only while another side asks for it: calls that came in, offers of connections, groups. Two nodes ask
 * each other, in the thread of the fuzzer, and what comes of it is left to the fuzzer, answered or not.
 */
final class Everyday {
    private static final int SERVICE = 5;
    /** Calls and connections that are asked for and not answered yet. */
    private static final int PENDING = 6;
    private static final int ROUNDS = 4;
    private static final int NEW_GROUPS = 30;
    private static final int GIVE_UP = 3;
    private static final Duration SOON = Duration.ofMillis(500);

    private final String provider;
    private final EndpointType type;
    private final Queue<Object> came = new ConcurrentLinkedQueue<>();
    private Node server;
    private Node client;
    private Caller caller;
    private NodeListener listener;
    private CompletableFuture<ConnectionOffer> next;
    private int connecting;
    private int receiving;
    private int groups;
    private int refusals;
    private boolean tagged;

    Everyday(String provider, String type) {
        this.provider = provider;
        this.type = EndpointType.valueOf(type);
    }

    /** Asks for something, and gives what came. */
    List<Object> step(Dice dice, Consumer<String> note) {
        if (refusals >= GIVE_UP || type == EndpointType.DGRAM
                || type == EndpointType.MSG && !Known.mayListen(provider)) {
            return List.of();
        }
        note.accept("everyday");
        try {
            if (server == null || !server.isOpen() || !client.isOpen()) {
                close();
                open();
            }
            if (type == EndpointType.MSG) {
                connect(dice);
            } else {
                if (groups == 0 || dice.oneIn(NEW_GROUPS)) {
                    group();
                }
                message();
            }
            call(dice);
            for (int i = 0; i < ROUNDS; i++) {
                client.progress();
                server.progress();
            }
        } catch (FabricException | IllegalStateException | IllegalArgumentException
                | UnsupportedOperationException refused) {
            note.accept("everyday refused: " + refused);
            refusals += client == null ? 1 : 0;
        }
        List<Object> given = new ArrayList<>();
        for (Object one = came.poll(); one != null; one = came.poll()) {
            given.add(one);
        }
        return given;
    }

    private void open() {
        NodeOptions options = NodeOptions.DEFAULT.withCallerProgress().withDeadline(SOON);
        try (FabricInfoList infos = find()) {
            server = Node.open(infos.first(), options);
            client = Node.open(infos.first(), options);
            tagged = infos.first().capabilities().contains(Capability.TAGGED);
        }
        if (!tagged) {
            return;
        }
        came.add(Service.open(server, SERVICE, came::add, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT)));
        if (type != EndpointType.MSG) {
            reach(client.peer(server.address()));
        }
    }

    private void message() {
        if (receiving < PENDING) {
            receiving++;
            server.receive(Arena.ofAuto().allocate(8)).whenComplete((received, failure) -> {
                receiving--;
                if (received != null) {
                    came.add(received);
                }
            });
            client.send(Arena.ofAuto().allocate(8), client.peer(server.address()));
        }
    }

    /** Calls need tags, which connections of libfabric 1.17's tcp do not have. */
    private FabricInfoList find() {
        try {
            return Scene.find(provider, type, Capability.MSG, Capability.TAGGED);
        } catch (FabricException none) {
            return Scene.find(provider, type, Capability.MSG);
        }
    }

    private void reach(Peer peer) {
        caller = Caller.open(peer, SERVICE);
        came.add(caller);
    }

    private void call(Dice dice) {
        if (caller == null) {
            return;
        }
        if (!caller.isOpen()) {
            Peer peer = caller.peer();
            caller = null;
            if (type != EndpointType.MSG) {
                reach(peer);
            }
        } else if (caller.underWay() + caller.waiting() < PENDING) {
            caller.call(new byte[dice.of(0, 1, 8, 200)], SOON);
        }
    }

    /** Every third offer is accepted here, so that there are connections. */
    private void connect(Dice dice) {
        if (listener == null || next != null && next.isCompletedExceptionally()) {
            listener = server.listen();
            came.add(listener);
            next = null;
        }
        if (next != null && next.isDone()) {
            ConnectionOffer offer = next.join();
            if (dice.oneIn(3)) {
                offer.accept(new byte[4]);
            } else {
                came.add(offer);
            }
            next = null;
        }
        next = next == null ? listener.next() : next;
        if (connecting < PENDING) {
            connecting++;
            client.connect(listener.address(), new byte[8]).whenComplete((peer, failure) -> {
                connecting--;
                if (peer != null && caller == null && tagged) {
                    reach(peer);
                } else if (peer != null) {
                    came.add(peer);
                }
            });
        }
    }

    /** One of which all members are here, one whose other member waits, one of a single member. */
    private void group() {
        String name = "everyday " + groups++;
        List<Peer> ofClient = List.of(client.peer(client.address()), client.peer(server.address()));
        List<Peer> ofServer = List.of(server.peer(client.address()), server.peer(server.address()));
        came.add(Group.ofPeers(client, name, ofClient, 0));
        came.add(Group.ofPeers(server, name, ofServer, 1));
        came.add(Group.ofPeers(client, name + " alone", ofClient.subList(0, 1), 0));
    }

    void close() {
        try {
            if (client != null) {
                client.close();
            }
        } finally {
            if (server != null) {
                server.close();
            }
            server = null;
            client = null;
            caller = null;
            listener = null;
            next = null;
            connecting = 0;
            receiving = 0;
            came.clear();
        }
    }
}
