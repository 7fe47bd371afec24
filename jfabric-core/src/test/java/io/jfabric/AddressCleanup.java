// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** Sends to an address that can be connected to by nobody, and removes it. To be run alone: it may crash. */
final class AddressCleanup {
    private AddressCleanup() {
    }

    public static void main(String[] arguments) {
        MemorySegment buffer = Arena.global().allocate(8);
        try (Pair pair = Pair.open(Providers.RXM).connect()) {
            AddressVector addresses = pair.a.addresses;
            Messages messages = pair.a.endpoint.messages();
            long nobody = addresses.insert(Address.of(new InetSocketAddress("255.255.255.255", 99)));
            try {
                messages.send(buffer, nobody, 1);
            } catch (FabricException unreachable) {
                System.out.println(unreachable.getMessage());
            }
            addresses.remove(nobody);
            pair.progress();
            // one with a connection; it can be inserted and used again
            addresses.remove(pair.a.peer);
            pair.progress();
            pair.a.peer = addresses.insert(pair.b.endpoint.address());
            pair.connect();
        }
        System.out.println("closed");
    }
}
