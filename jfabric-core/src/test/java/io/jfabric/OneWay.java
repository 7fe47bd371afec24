// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * An endpoint that only sends, or one that only receives, with a queue for its direction alone, in a process of its
 * own: see {@link OneWayTest}.
 */
final class OneWay {
    static final String REFUSED = "refused";
    static final String ARRIVED = "arrived";

    private OneWay() {
    }

    /** Provider, type, TAGGED or MSG, length, which side has one queue only: SEND or RECV. */
    public static void main(String[] args) {
        Providers.Choice choice = new Providers.Choice(args[0], EndpointType.valueOf(args[1]));
        Capability family = Capability.valueOf(args[2]);
        int length = Integer.parseInt(args[3]);
        Capability lone = Capability.valueOf(args[4]);
        try (FabricInfoList sends = find(choice, family, Capability.SEND, lone);
                FabricInfoList receives = find(choice, family, Capability.RECV, lone);
                Fabric fabric = Fabric.open(sends.first());
                Domain domain = fabric.openDomain(sends.first());
                FabricArena arena = domain.openArena()) {
            // the receiver may be of another domain: each has the attributes that it was found with
            Domain other = fabric.openDomain(receives.first());
            Side receiver = open(other, receives.first(), lone == Capability.RECV, BindFlag.RECV, BindFlag.TRANSMIT);
            Side sender = open(domain, sends.first(), lone == Capability.SEND, BindFlag.TRANSMIT, BindFlag.RECV);
            if (sender == null || receiver == null) {
                System.out.println(REFUSED);
                return;
            }
            sender.peer = sender.addresses.insert(receiver.endpoint.address());
            MemorySegment out = arena.allocate(length).fill((byte) 7);
            MemorySegment in = other.openArena().allocate(length);
            BooleanSupplier receive = family == Capability.TAGGED
                    ? () -> receiver.endpoint.tagged().receive(in, Address.ANY, 5, 0, 1)
                    : () -> receiver.endpoint.messages().receive(in, Address.ANY, 1);
            BooleanSupplier send = family == Capability.TAGGED
                    ? () -> sender.endpoint.tagged().send(out, sender.peer, 5, 2)
                    : () -> sender.endpoint.messages().send(out, sender.peer, 2);
            await(receive, sender, receiver);
            await(send, sender, receiver);
            await(() -> sender.take(done -> done.context() == 2) != null, sender, receiver);
            await(() -> receiver.take(done -> done.context() == 1) != null, sender, receiver);
            System.out.println(in.mismatch(out) == -1 ? ARRIVED : "other bytes");
        }
    }

    private static FabricInfoList find(Providers.Choice choice, Capability family, Capability direction,
            Capability lone) {
        return choice.find(hints -> {
            if (direction == lone) {
                hints.capabilities(family, direction);
            } else {
                hints.capabilities(family);
            }
        });
    }

    private static Side open(Domain domain, FabricInfo info, boolean lone, BindFlag direction, BindFlag other) {
        AddressVector addresses = domain.openAddressVector();
        CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
        Endpoint endpoint = domain.openEndpoint(info).bind(addresses);
        if (lone) {
            endpoint.bind(queue, direction);
        } else {
            endpoint.bind(queue, direction, other);
        }
        try {
            endpoint.enable();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
            return null;
        } catch (FabricException e) {
            // tcp and ofi_rxm look themselves
            if (e.error() != FabricError.ENOCQ) {
                throw e;
            }
            return null;
        }
        return new Side(endpoint, queue, addresses);
    }

    private static void await(BooleanSupplier over, Side... sides) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!over.getAsBoolean()) {
            for (Side side : sides) {
                side.poll();
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not in time");
            }
        }
    }
}
