// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Endpoints where others were that peers still send to, each in a process of its own: see {@link RxdRestartTest}. */
final class RxdRestart {
    /** Of 32 ports: without care one is taken twice. */
    private static final int ENDPOINTS = 20;

    private RxdRestart() {
    }

    public static void main(String[] args) {
        try (Pair pair = Pair.open(Providers.RXD).connect()) {
            switch (args[0]) {
                case "asked" -> asked(pair);
                case "chosen" -> chosen(pair);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
        System.out.println("SURVIVED");
    }

    private static Side open(Pair pair, FabricInfo info) {
        AddressVector addresses = pair.domain.openAddressVector();
        CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
        return new Side(pair.domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses)
                .enable(), queue, addresses);
    }

    /** What the first side sends, as if its peers were still there, comes to the other one if that has their port. */
    private static void send(Pair pair, Side other) {
        MemorySegment out = Arena.ofAuto().allocate(8);
        pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
        for (int i = 0; i < 1000; i++) {
            pair.a.poll();
            other.poll();
        }
    }

    private static void asked(Pair pair) {
        Address address = pair.b.endpoint.address();
        pair.b.endpoint.close();
        try (FabricInfo info = pair.info.duplicate().sourceAddress(address)) {
            Side second = open(pair, info);
            send(pair, second);
            throw new AssertionError("may not be opened: " + second.endpoint.address());
        } catch (FabricException refused) {
            if (refused.error() != FabricError.EADDRINUSE) {
                throw refused;
            }
        }
    }

    private static void chosen(Pair pair) {
        List<Address> used = new ArrayList<>(List.of(pair.a.endpoint.address(), pair.b.endpoint.address()));
        pair.b.endpoint.close();
        for (int i = 0; i < ENDPOINTS; i++) {
            Side next = open(pair, pair.info);
            Address address = next.endpoint.address();
            if (used.contains(address)) {
                System.out.println(address + " once more");
            }
            used.add(address);
            send(pair, next);
            pair.a.peer = pair.a.addresses.insert(address);
            next.addresses.insert(pair.a.endpoint.address());
            next.endpoint.messages().receive(Arena.ofAuto().allocate(8), Address.ANY, 2);
            MemorySegment out = Arena.ofAuto().allocate(8);
            pair.post(() -> next.poll() >= 0 && pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            pair.until("the message is there", () -> next.poll() >= 0 && next.take(d -> d.context() == 2) != null);
            next.endpoint.close();
        }
    }
}
