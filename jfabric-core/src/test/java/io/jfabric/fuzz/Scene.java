// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.AddressVector;
import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.PassiveEndpoint;
import io.jfabric.ScalableEndpoint;
import io.jfabric.collective.AddressVectorSet;
import io.jfabric.collective.AddressVectorSetAttributes;
import io.jfabric.collective.Collectives;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Loopback;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Knows how jfabric is used: two endpoints that can talk to each other, with all that belongs to
 * them. What it opens is left to the fuzzer. Every step is noted, because it may crash as well.
 */
final class Scene {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);
    private static final int TRIES = 20_000;
    /** Of so many endpoints, one has raw contexts. */
    private static final int RAW = 20;
    /** How often something special is wished before it is just anything. */
    private static final int WISHED = 5;
    private static final InetSocketAddress EVERYBODY = new InetSocketAddress("239.1.2.3", 4567);
    private static final MemorySegment HELLO = Arena.global().allocate(64, 8).fill((byte) 7);
    private static final MemorySegment INBOX = Arena.global().allocate(65536, 8);
    private static final List<Capability[]> WISHES = List.of(
            wish(),
            wish(Capability.MSG, Capability.TAGGED, Capability.RMA, Capability.ATOMIC),
            wish(Capability.MSG, Capability.TAGGED, Capability.COLLECTIVE),
            wish(Capability.MSG, Capability.TAGGED, Capability.RMA, Capability.COLLECTIVE),
            wish(Capability.MSG, Capability.TAGGED, Capability.RMA, Capability.TRIGGER),
            wish(Capability.MSG, Capability.TAGGED, Capability.MULTI_RECV, Capability.DIRECTED_RECV, Capability.SOURCE),
            wish(Capability.MSG),
            wish(Capability.MSG, Capability.TAGGED),
            wish(Capability.TAGGED, Capability.RMA, Capability.RMA_EVENT),
            wish(Capability.MSG, Capability.MULTICAST));
    /** Types whose methods are called most: what programs do all day, and where memory is passed. */
    private static final List<String> DATA_PATH = List.of("Messages", "MessageReceives", "TaggedMessages",
        "TaggedReceives", "Rma", "Atomics", "Collectives", "CompletionQueue", "EventQueue", "Counter", "Deferral",
        "AddressVector", "ClaimedMessage");

    /** The next one that an endpoint of a peer process takes; 0 where the system chooses. */
    static int port;

    /** Interfaces that users implement, beside those that say so by an annotation. */
    static final Set<String> CALLBACKS = Set.of("CompletionHandler", "Callback", "FabricConstant");

    final int id;
    /** Addresses in the address vectors. */
    final List<Long> peers = new ArrayList<>();
    /** What was opened, and nobody has taken yet. */
    private final List<Object> came = new ArrayList<>();
    Address ownAddress;
    Endpoint first;
    /** The first message did not arrive in seconds. */
    boolean lost;
    /** The first message arrived with other bytes. */
    boolean wrong;
    /** Its endpoints give providers the contexts as they are: their memory has to stay. */
    boolean raw;
    private final Consumer<String> note;
    private final Dice dice;
    private final String provider;
    private final EndpointType type;
    private Fabric fabric;
    private Domain domain;
    private AddressVector firstVector;
    private AddressVector vector;
    private CompletionQueue firstQueue;
    private CompletionQueue queue;
    private PassiveEndpoint listener;
    private EventQueue serverEvents;
    private EventQueue clientEvents;

    private Scene(int id, String provider, String type, Dice dice, Consumer<String> note) {
        this.id = id;
        this.provider = provider;
        this.type = EndpointType.valueOf(type);
        this.dice = dice;
        this.note = note;
    }

    private static Capability[] wish(Capability... wishes) {
        return wishes;
    }

    static boolean isDataPath(Target target) {
        return target.receiver() != null && (DATA_PATH.contains(target.receiver().getSimpleName())
                || target.receiver().getSimpleName().endsWith("Request"));
    }

    static boolean isFlags(Class<?> raw) {
        return raw == Flags.class;
    }

    /** Few flags of that enum, sometimes some that nobody knows. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static Object flags(Class<?> constants, Dice dice) {
        if (dice.oneIn(20)) {
            return Flags.ofBits((Class) constants, dice.nextLong());
        }
        List few = new ArrayList();
        int count = dice.of(0, 0, 1, 1, 1, 2, 3);
        for (int i = 0; i < count; i++) {
            few.add(dice.of(constants.getEnumConstants()));
        }
        return Flags.of((Class) constants, few);
    }

    static boolean isOffered(String provider, String type) {
        try (FabricInfoList infos = find(provider, EndpointType.valueOf(type))) {
            return infos.first().provider().equals(provider);
        } catch (FabricException | IllegalStateException none) {
            return false;
        }
    }

    static FabricInfoList find(String provider, EndpointType type, Capability... wishes) {
        return find(provider, type, hints -> { }, wishes);
    }

    static FabricInfoList find(String provider, EndpointType type, Consumer<Hints> taste, Capability... wishes) {
        try (Hints hints = Hints.create().provider(provider).endpointType(type)) {
            taste.accept(hints);
            if (wishes.length > 0) {
                hints.capabilities(wishes);
            }
            FabricInfoList infos = provider.equals("shm") || provider.equals("sm2") ? Fabric.getInfo(hints)
                    : Fabric.getInfo(Loopback.own(), null, Set.of(GetInfoFlag.SOURCE), hints);
            if (!infos.first().provider().equals(provider)) {
                // tcp of libfabric 2 has no collectives, but ofi_rxm over it has them
                infos.close();
                throw new IllegalStateException(provider + " itself has none of these");
            }
            return infos;
        }
    }

    /** Opens a scene; null if the provider does not want that. */
    static Scene open(int id, String provider, String type, Dice dice, Consumer<String> note) {
        Scene scene = new Scene(id, provider, type, dice, note);
        try {
            scene.build();
            return scene;
        } catch (FabricException | IllegalStateException | IllegalArgumentException refused) {
            note.accept("scene refused: " + refused);
            scene.close();
            return null;
        }
    }

    /** Another process, as a peer of the first endpoint. */
    long insert(byte[] address) {
        return firstVector.insert(address);
    }

    /** As a peer process: sends something there, and forgets it at times. */
    void greet(byte[] address) {
        attempt("greet", () -> {
            long peer = firstVector.insert(address);
            for (int i = 0; i < 4; i++) {
                first.messages().send(HELLO, peer, i);
                first.messages().receive(INBOX, -1, i);
            }
            if (peers.size() > 20) {
                firstVector.remove(peer);
            } else {
                peers.add(peer);
            }
        });
    }

    /** As a peer process: receives, and sends to whom it knows. */
    void progress() {
        attempt("progress", () -> {
            firstQueue.poll(new CompletionHandler() {
                @Override
                public void onCompletion(Completion completion) {
                    first.messages().receive(INBOX, -1, 1);
                }

                @Override
                public void onError(CompletionError error) {
                    first.messages().receive(INBOX, -1, 2);
                }
            }, 16);
            if (dice.oneIn(50)) {
                first.messages().send(HELLO, dice.of(peers), 3);
            }
        });
    }

    /** What was opened since the last time. */
    List<Object> take() {
        List<Object> all = List.copyOf(came);
        came.clear();
        return all;
    }

    /** Opens an endpoint that can do little, or a connection of two. */
    void part() {
        Part part = new Part(this, dice);
        if (ownAddress != null) {
            attempt("part", () -> part.open(provider, type, domain, first, firstVector));
        } else if (listener != null && listener.isOpen()) {
            attempt("part", () -> part.connect(provider, domain, listener, serverEvents, clientEvents));
        }
    }

    boolean isAlive() {
        return fabric != null && fabric.isOpen();
    }

    void close() {
        if (fabric != null) {
            step("close fabric");
            try {
                fabric.close();
            } catch (FabricException busy) {
                note.accept("scene close: " + busy);
            }
        }
    }

    void step(String what) {
        note.accept("scene " + id + ": " + what);
    }

    <T> T keep(T object) {
        came.add(object);
        return object;
    }

    private void build() {
        step("getinfo");
        FabricInfo info;
        try (FabricInfoList infos = infos()) {
            info = keep(infos.first().duplicate());
        }
        step("open fabric " + info.provider());
        fabric = keep(Fabric.open(info));
        domain = keep(fabric.openDomain(info));
        if (type == EndpointType.MSG) {
            connected(info, domain);
        } else {
            Endpoint a = unconnected(info, domain);
            first = a;
            AddressVector mine = vector;
            firstVector = mine;
            CompletionQueue queueA = queue;
            firstQueue = queue;
            Endpoint b = unconnected(info, domain);
            if (a != null && b != null) {
                step("insert");
                ownAddress = a.address();
                peers.add(mine.insert(ownAddress));
                peers.add(mine.insert(b.address()));
                vector.insert(a.address());
                vector.insert(b.address());
                exchange(a, queueA, b, queue);
                attempt("join", () -> keep(Collectives.of(a).join(
                        AddressVectorSet.open(mine, AddressVectorSetAttributes.range(0, 1, 1)), 1)));
            }
            rarities(info, domain, mine);
        }
        for (int i = 0; i < 2; i++) {
            attempt("register", () -> {
                MemoryRegion region = keep(domain.register(Arena.ofAuto().allocate(65536, 4096), MemoryAccess.SEND,
                        MemoryAccess.RECV, MemoryAccess.READ, MemoryAccess.WRITE, MemoryAccess.REMOTE_READ,
                        MemoryAccess.REMOTE_WRITE));
                keep(region.remote());
            });
        }
        step("ready");
    }

    /** What few providers have, and nobody finds by chance. */
    private void rarities(FabricInfo info, Domain domain, AddressVector addresses) {
        if (info.capabilities().contains(Capability.MULTICAST)) {
            attempt("join multicast", () -> keep(first.join(Address.of(EVERYBODY), 1)));
        }
        if (info.domain().limits().maxEndpointTxContexts() > 1) {
            attempt("scalable", () -> {
                FabricInfo many = keep(info.duplicate());
                many.endpoint().txContextCount(2).rxContextCount(2);
                ScalableEndpoint scalable = keep(domain.openScalableEndpoint(many)).bind(addresses).enable();
                keep(scalable.transmitContext(0));
                keep(scalable.receiveContext(1));
            });
        }
    }

    private FabricInfoList infos() {
        List<Capability[]> allowed = WISHES.stream().filter(w -> Known.allows(provider, w)).toList();
        for (int i = 0; i < WISHED; i++) {
            Tastes tastes = Tastes.of(dice);
            step("info with " + tastes);
            try {
                return find(provider, type, tastes::apply, dice.of(allowed));
            } catch (FabricException tooMuch) {
                note.accept("wish refused: " + tooMuch);
            }
        }
        return find(provider, type, Known.allows(provider) ? wish() : wish(Capability.MSG, Capability.TAGGED));
    }

    void attempt(String what, Runnable action) {
        step(what);
        try {
            action.run();
        } catch (FabricException | IllegalStateException | IllegalArgumentException
                | UnsupportedOperationException refused) {
            note.accept(what + " refused: " + refused);
        }
    }

    CompletionQueue queue(Domain domain) {
        CompletionFormat format = dice.of(CompletionFormat.CONTEXT, CompletionFormat.MSG, CompletionFormat.DATA,
                CompletionFormat.TAGGED, CompletionFormat.TAGGED);
        WaitObject wait = dice.of(WaitObject.NONE, WaitObject.NONE, WaitObject.FD, WaitObject.UNSPEC);
        step("queue " + format + ' ' + wait);
        try {
            return keep(domain.openCompletionQueue(CompletionQueueAttributes.of(format).withWaitObject(wait)
                    .withSize(dice.of(0, 16, 1024))));
        } catch (FabricException refused) {
            return keep(domain.openCompletionQueue(CompletionFormat.TAGGED));
        }
    }

    private Endpoint unconnected(FabricInfo info, Domain domain) {
        vector = keep(domain.openAddressVector());
        queue = queue(domain);
        step("endpoint");
        if (port != 0) {
            info.sourceAddress(Address.of(new InetSocketAddress(Loopback.own(), port++)));
        }
        Endpoint endpoint = keep(domain.openEndpoint(info)).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector);
        counters(domain, endpoint);
        if (info.capabilities().contains(Capability.COLLECTIVE)
                || info.capabilities().contains(Capability.MULTICAST)) {
            attempt("events", () -> endpoint.bind(keep(fabric.openEventQueue())));
        }
        if (dice.oneIn(RAW)) {
            raw = true;
            endpoint.rawContexts();
        }
        step("enable");
        endpoint.enable();
        return families(endpoint);
    }

    private void counters(Domain domain, Endpoint endpoint) {
        if (dice.percent(30)) {
            attempt("counter", () -> {
                Counter counter = keep(domain.openCounter());
                endpoint.bind(counter, BindFlag.TRANSMIT, BindFlag.RECV);
            });
        }
    }

    Endpoint families(Endpoint endpoint) {
        attempt("messages", () -> keep(endpoint.messages()));
        attempt("tagged", () -> keep(endpoint.tagged()));
        attempt("rma", () -> keep(endpoint.rma()));
        attempt("atomics", () -> keep(endpoint.atomics()));
        attempt("profile", () -> keep(endpoint.domain().openProfile(endpoint)));
        return endpoint;
    }

    private void connected(FabricInfo info, Domain domain) {
        step("listen");
        serverEvents = keep(fabric.openEventQueue());
        clientEvents = keep(fabric.openEventQueue());
        listener = keep(fabric.openPassiveEndpoint(info).bind(serverEvents).listen());
        FabricInfo any = keep(info.duplicate().sourceAddress((Address) null));
        CompletionQueue clientQueue = queue(domain);
        firstQueue = clientQueue;
        Endpoint client = keep(domain.openEndpoint(any)).bind(clientQueue, BindFlag.TRANSMIT, BindFlag.RECV)
                .bind(clientEvents);
        counters(domain, client);
        first = client;
        step("connect");
        client.enable().connect(listener.address());
        if (!(event(serverEvents, clientEvents) instanceof FabricEvent.ConnectionRequest request)) {
            return;
        }
        keep(request);
        step("accept");
        CompletionQueue serverQueue = queue(domain);
        Endpoint server = keep(domain.openEndpoint(request.info())).bind(serverQueue, BindFlag.TRANSMIT, BindFlag.RECV)
                .bind(serverEvents);
        server.enable().accept();
        event(serverEvents, clientEvents);
        event(clientEvents, serverEvents);
        families(client);
        families(server);
        peers.add(0L);
        if (!Known.mayListen(provider)) {
            listener.close();
        }
        exchange(client, clientQueue, server, serverQueue);
    }

    static FabricEvent event(EventQueue from, EventQueue other) {
        long end = System.nanoTime() + PATIENCE;
        while (System.nanoTime() < end) {
            Optional<FabricEvent> event = from.poll();
            if (event.isPresent()) {
                return event.get();
            }
            other.peek();
            Thread.onSpinWait();
        }
        return null;
    }

    /** In a good scene, what is sent arrives as it was: whatever was done to other scenes before. */
    private void exchange(Endpoint a, CompletionQueue queueA, Endpoint b, CompletionQueue queueB) {
        long caps = a.info().capabilities().bits();
        if ((caps & Capability.MSG.code()) == 0) {
            return;
        }
        step("exchange");
        int size = dice.of(1, 8, 64, 512);
        Arena arena = raw ? Arena.global() : Arena.ofAuto();
        MemorySegment sent = arena.allocate(size, 8);
        MemorySegment received = arena.allocate(size, 8);
        for (int i = 0; i < size; i++) {
            sent.set(ValueLayout.JAVA_BYTE, i, (byte) dice.nextLong());
        }
        long[] done = new long[2];
        CompletionHandler handlerA = c -> done[0]++;
        CompletionHandler handlerB = c -> done[1]++;
        boolean posted = false;
        boolean awaited = false;
        long to = peers.isEmpty() ? 0 : peers.getLast();
        long end = System.nanoTime() + PATIENCE;
        int polls = 0;
        while (done[1] == 0 && System.nanoTime() < end) {
            polls++;
            awaited = awaited || b.messages().receive(received, -1, 77);
            posted = posted || awaited && a.messages().send(sent, to, 78);
            queueA.poll(handlerA, 8);
            queueB.poll(handlerB, 8);
        }
        if (done[1] == 0) {
            // a busy machine has not let it try
            lost = type != EndpointType.DGRAM && polls > TRIES;
        } else if (!Arrays.equals(sent.toArray(ValueLayout.JAVA_BYTE), received.toArray(ValueLayout.JAVA_BYTE))) {
            wrong = true;
        }
    }

}
