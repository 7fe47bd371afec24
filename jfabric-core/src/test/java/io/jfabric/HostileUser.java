// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What no program should do, one after the other, in the JVM of {@link HostileUserTest}. */
final class HostileUser {
    private static final long[] NOBODY = {5, 1L << 40, Address.ANY, Address.NOT_AVAILABLE, Long.MIN_VALUE};

    private final Providers.Choice choice;

    private HostileUser(Providers.Choice choice) {
        this.choice = choice;
    }

    /** Provider, type and perhaps the names of scenarios. */
    public static void main(String[] args) {
        HostileUser user = new HostileUser(Providers.all().filter(c -> c.provider().equals(args[0])
                && c.type().name().equals(args[1])).findFirst().orElseThrow());
        user.scenarios().forEach((name, scenario) -> {
            if (args.length == 2 || List.of(args).subList(2, args.length).contains(name)) {
                System.out.println("begins " + name);
                scenario.run();
            }
        });
        System.out.println("SURVIVED");
    }

    private Map<String, Runnable> scenarios() {
        Map<String, Runnable> all = new LinkedHashMap<>();
        unfinished(all);
        if (choice.type() != EndpointType.MSG) {
            vectors(all);
            peers(all);
            if (choice.provider().equals("udp;ofi_rxd")) {
                rxd(all);
            }
        }
        all.put("useClosed", () -> opened((domain, endpoint) -> {
            CompletionQueue queue = bind(domain, endpoint, TRANSMIT, RECV);
            attempt("enable", endpoint::enable);
            domain.close();
            everything(endpoint, 0);
            poll(queue);
        }));
        return all;
    }

    private void unfinished(Map<String, Runnable> all) {
        all.put("closeBare", () -> opened((domain, endpoint) -> { }));
        all.put("closeEnabledBare", () -> opened((domain, endpoint) -> attempt("enable", endpoint::enable)));
        all.put("useBare", () -> opened((domain, endpoint) -> everything(endpoint, 0)));
        all.put("useBound", () -> opened((domain, endpoint) -> {
            bind(domain, endpoint, TRANSMIT, RECV);
            everything(endpoint, 0);
        }));
        all.put("useEnabledBare", () -> opened((domain, endpoint) -> {
            attempt("enable", endpoint::enable);
            everything(endpoint, 0);
        }));
        all.put("useWithoutAddressVector", () -> opened((domain, endpoint) -> {
            endpoint.bind(domain.openCompletionQueue(CompletionFormat.TAGGED), TRANSMIT, RECV);
            attempt("enable", endpoint::enable);
            everything(endpoint, 0);
        }));
        all.put("useWithoutReceiveQueue", () -> opened((domain, endpoint) -> {
            bind(domain, endpoint, TRANSMIT);
            attempt("enable", endpoint::enable);
            everything(endpoint, 0);
        }));
        all.put("useWithoutTransmitQueue", () -> opened((domain, endpoint) -> {
            bind(domain, endpoint, RECV);
            attempt("enable", endpoint::enable);
            everything(endpoint, 0);
        }));
        all.put("useWithCountersOnly", () -> opened((domain, endpoint) -> {
            attempt("bind", () -> endpoint.bind(domain.openCounter(), TRANSMIT, RECV));
            attempt("bind", () -> endpoint.bind(domain.openAddressVector()));
            attempt("enable", endpoint::enable);
            everything(endpoint, 0);
        }));
        all.put("strangers", () -> opened((domain, endpoint) -> {
            CompletionQueue queue = bind(domain, endpoint, TRANSMIT, RECV);
            attempt("enable", endpoint::enable);
            for (long nobody : NOBODY) {
                everything(endpoint, nobody);
                poll(queue);
            }
        }));
    }

    private void vectors(Map<String, Runnable> all) {
        all.put("insertBeforeEnable", () -> opened((domain, endpoint) -> {
            AddressVector vector = domain.openAddressVector();
            endpoint.bind(vector).bind(domain.openCompletionQueue(CompletionFormat.TAGGED), TRANSMIT, RECV);
            attempt("insert", () -> vector.insert(endpoint.address()));
            attempt("remove", () -> vector.remove(0));
            attempt("enable", endpoint::enable);
            attempt("insert", () -> vector.insert(endpoint.address()));
            everything(endpoint, 0);
        }));
        all.put("reopen", () -> opened((domain, endpoint) -> {
            AddressVector vector = domain.openAddressVector();
            endpoint.bind(vector).bind(domain.openCompletionQueue(CompletionFormat.TAGGED), TRANSMIT, RECV);
            attempt("enable", endpoint::enable);
            Address address = endpoint.address();
            attempt("insert", () -> vector.insert(address));
            endpoint.close();
            AddressVector own = domain.openAddressVector();
            Endpoint again = open(domain);
            attempt("setAddress", () -> again.setAddress(address));
            again.bind(own).bind(domain.openCompletionQueue(CompletionFormat.TAGGED), TRANSMIT, RECV);
            attempt("enable", again::enable);
            attempt("insert", () -> own.insert(address));
            everything(again, 0);
            attempt("insert", () -> own.insert(again.address()));
            everything(again, 0);
        }));
    }

    private void peers(Map<String, Runnable> all) {
        all.put("closeBusy", () -> pair(pair -> {
            everything(pair.a.endpoint, pair.a.peer);
            pair.b.endpoint.close();
            everything(pair.a.endpoint, pair.a.peer);
            poll(pair.a.queue);
        }));
        all.put("removePeer", () -> pair(pair -> {
            everything(pair.a.endpoint, pair.a.peer);
            pair.progress();
            attempt("remove", () -> pair.a.addresses.remove(pair.a.peer));
            poll(pair.a.queue);
            everything(pair.a.endpoint, pair.a.peer);
            poll(pair.a.queue);
            attempt("remove", () -> pair.b.addresses.remove(pair.b.peer));
            poll(pair.b.queue);
        }));
        all.put("removeStranger", () -> pair(pair -> {
            for (long nobody : NOBODY) {
                attempt("remove", () -> pair.a.addresses.remove(nobody));
                attempt("lookup", () -> pair.a.addresses.lookup(nobody));
            }
        }));
        all.put("closeRegion", () -> pair(pair -> {
            MemoryRegion region;
            try {
                region = pair.b.endpoint.register(memory(), MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ);
            } catch (FabricException lacking) {
                return;
            }
            RemoteRegion remote = region.remote();
            attempt("write", () -> pair.a.endpoint.rma().write(memory(), pair.a.peer, remote, 0, 1));
            region.close();
            attempt("write", () -> pair.a.endpoint.rma().write(memory(), pair.a.peer, remote, 0, 1));
            attempt("read", () -> pair.a.endpoint.rma().read(memory(), pair.a.peer, remote, 0, 1));
            poll(pair.a.queue);
            poll(pair.b.queue);
        }));
    }

    private void rxd(Map<String, Runnable> all) {
        all.put("fetchFirst", () -> pair(pair -> {
            Region region = new Region(pair.b.endpoint);
            attempt("fetch", () -> fetch(pair, region, AtomicOp.SUM));
            attempt("read", () -> fetch(pair, region, AtomicOp.ATOMIC_READ));
            for (int i = 0; i < 1000; i++) {
                pair.progress();
            }
        }));
        all.put("fetchAfterFailedSend", () -> pair(pair -> {
            Region region = new Region(pair.b.endpoint);
            MemorySegment freed;
            try (Arena arena = Arena.ofShared()) {
                freed = arena.allocate(8);
            }
            attempt("send", () -> pair.a.endpoint.messages().send(freed, pair.a.peer, 1));
            refusesFetch(pair, region, pair.b.queue);
        }));
        all.put("fetchOfAnother", () -> pair(pair -> {
            pair.connect();
            pair.a.addresses.remove(pair.a.peer);
            Endpoint another = open(pair.domain);
            CompletionQueue queue = bind(pair.domain, another, TRANSMIT, RECV);
            pair.a.peer = pair.a.addresses.insert(another.enable().address());
            refusesFetch(pair, new Region(another), queue);
        }));
        all.put("multiReceive", () -> pair(pair -> {
            attempt("unsafe", () -> pair.b.endpoint.messages().receiveMulti(memory(), Address.ANY, 1));
            pair.b.endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 64L);
            attempt("too small", () -> pair.b.endpoint.messages().receiveMulti(memory(), Address.ANY, 1));
            MemorySegment buffer = Arena.global().allocate(100);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(Arena.global().allocate(64), pair.a.peer, 2));
            if (!pair.await(pair.b, 1).is(CompletionFlag.MULTI_RECV)) {
                throw new AssertionError("36 bytes are left, which is too little: the buffer must be given back");
            }
        }));
    }

    /** Memory of b's that a may use. */
    private record Region(RemoteRegion remote) {
        Region(Endpoint endpoint) {
            this(endpoint.register(memory(), MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ).remote());
        }
    }

    private static void refusesFetch(Pair pair, Region region, CompletionQueue queue) {
        try {
            fetch(pair, region, AtomicOp.SUM);
        } catch (IllegalStateException asItShouldBe) {
            return;
        }
        for (int i = 0; i < 1000; i++) {
            pair.progress();
            poll(queue);
        }
        throw new AssertionError("a fetch was the first operation to a peer");
    }

    private static boolean fetch(Pair pair, Region region, AtomicOp op) {
        return pair.a.endpoint.atomics().fetchAndApply(memory(), memory(), pair.a.peer, region.remote(), 0,
                Datatype.INT64, op, 3);
    }

    private interface Scenario {
        void run(Domain domain, Endpoint endpoint);
    }

    private void opened(Scenario scenario) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first());
             Endpoint endpoint = domain.openEndpoint(infos.first())) {
            scenario.run(domain, endpoint);
            System.out.println("  closes");
        }
    }

    private Endpoint open(Domain domain) {
        return domain.openEndpoint(domain.info());
    }

    private void pair(Consumer<Pair> scenario) {
        try (Pair pair = Pair.open(choice)) {
            scenario.accept(pair);
            System.out.println("  closes");
        }
    }

    private CompletionQueue bind(Domain domain, Endpoint endpoint, BindFlag first, BindFlag... others) {
        CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
        endpoint.bind(queue, first, others);
        if (choice.type() == EndpointType.MSG) {
            endpoint.bind(domain.fabric().openEventQueue());
        } else {
            endpoint.bind(domain.openAddressVector());
        }
        return queue;
    }

    private static MemorySegment memory() {
        return Arena.global().allocate(64, 64).asSlice(0, 8);
    }

    private static void everything(Endpoint endpoint, long peer) {
        RemoteRegion remote = RemoteRegion.of(0, 8, 0);
        attempt("receive", () -> endpoint.messages().receive(memory(), Address.ANY, 1));
        attempt("receive from", () -> endpoint.messages().receive(memory(), peer, 1));
        attempt("receiveMulti", () -> endpoint.messages().receiveMulti(memory(), Address.ANY, 1));
        attempt("tagged receive", () -> endpoint.tagged().receive(memory(), Address.ANY, 1, 0, 1));
        attempt("tagged receive from", () -> endpoint.tagged().receive(memory(), peer, 1, 0, 1));
        attempt("send", () -> endpoint.messages().send(memory(), peer, 1));
        attempt("sendData", () -> endpoint.messages().sendData(memory(), 1, peer, 1));
        attempt("inject", () -> endpoint.messages().inject(memory(), peer));
        attempt("tagged send", () -> endpoint.tagged().send(memory(), peer, 1, 1));
        attempt("tagged inject", () -> endpoint.tagged().inject(memory(), peer, 1));
        attempt("write", () -> endpoint.rma().write(memory(), peer, remote, 0, 1));
        attempt("read", () -> endpoint.rma().read(memory(), peer, remote, 0, 1));
        attempt("apply", () -> endpoint.atomics().apply(memory(), peer, remote, 0, Datatype.INT64, AtomicOp.SUM, 1));
        attempt("fetch", () -> endpoint.atomics().fetchAndApply(memory(), memory(), peer, remote, 0, Datatype.INT64,
                AtomicOp.SUM, 1));
        attempt("cancel", () -> endpoint.cancel(1));
        attempt("address", endpoint::address);
        attempt("option", () -> endpoint.option(EndpointOption.MIN_MULTI_RECV));
        attempt("flags", () -> endpoint.operationFlags(Direction.TRANSMIT));
        attempt("connect", () -> endpoint.connect(endpoint.address()));
        attempt("shutdown", endpoint::shutdown);
        attempt("peerAddress", endpoint::peerAddress);
    }

    private static void poll(CompletionQueue queue) {
        for (int i = 0; i < 50; i++) {
            attempt(i == 0 ? "poll" : null, () -> queue.poll(completion -> { }, 8));
        }
    }

    private static void attempt(String what, Runnable call) {
        if (what != null) {
            System.out.println("  tries " + what);
        }
        try {
            call.run();
        } catch (FabricException | IllegalStateException | IllegalArgumentException | UnsupportedOperationException e) {
            if (what != null) {
                System.out.println("    " + e.getMessage());
            }
        }
    }
}
