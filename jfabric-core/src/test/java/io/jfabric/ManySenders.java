// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Endpoints of which all but the first write to one of another process, then tell what comes: see its test. */
final class ManySenders {
    private ManySenders() {
    }

    /** Whom to write to, and how many endpoints. */
    public static void main(String[] args) throws Exception {
        MemorySegment memory = Arena.ofAuto().allocate(8);
        FabricInfo info = Providers.SHM.find(hints -> { }).first().duplicate();
        Domain domain = Fabric.open(info).openDomain(info);
        List<Side> sides = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            CompletionQueue queue = domain.openCompletionQueue(CompletionQueueAttributes.of(CompletionFormat.TAGGED));
            AddressVector addresses = domain.openAddressVector();
            Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses);
            sides.add(new Side(endpoint.enable(), queue, addresses));
            endpoint.messages().receive(memory, Address.ANY, 1);
        }
        System.out.println("first " + sides.getFirst().endpoint.address().toText());
        until(sides.getFirst(), 1);
        sides.getFirst().endpoint.messages().receive(memory, Address.ANY, 1);
        for (Side side : sides.subList(1, sides.size())) {
            side.peer = side.addresses.insert(Address.of(args[0]));
            while (!side.endpoint.messages().send(memory, side.peer, 2)) {
                side.poll();
                TimeUnit.MICROSECONDS.sleep(100);
            }
            until(side, 2);
        }
        System.out.println("sent");
        while (true) {
            for (int i = 0; i < sides.size(); i++) {
                sides.get(i).poll();
                if (sides.get(i).take(done -> done.context() == 1) != null) {
                    System.out.println("it came to " + i);
                }
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void until(Side side, long context) throws InterruptedException {
        while (side.take(done -> done.context() == context) == null) {
            side.poll();
            TimeUnit.MICROSECONDS.sleep(100);
        }
    }
}
