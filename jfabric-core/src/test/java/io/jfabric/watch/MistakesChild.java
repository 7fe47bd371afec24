// SPDX-License-Identifier: Apache-2.0
package io.jfabric.watch;

import io.jfabric.MemoryRegion;
import io.jfabric.info.Address;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Makes the mistakes that make a program hang, all at once, and hangs for three seconds. */
final class MistakesChild {
    private static final long NANOS = 3_500_000_000L;
    private static final int MANY = 120;

    private MistakesChild() {
    }

    public static void main(String[] args) throws InterruptedException {
        MemorySegment memory = Arena.ofAuto().allocate(64);
        try (Pair ignoring = Pair.open(Providers.RXM); Pair unpolled = Pair.open(Providers.SHM).connect();
                Pair nobody = Pair.open(Providers.RXM); Pair mismatched = Pair.open(Providers.SHM).connect();
                Pair idle = Pair.open(Providers.SHM).connect()) {
            System.out.println("ignoring " + ignoring.a.endpoint);
            System.out.println("unpolled " + unpolled.a.endpoint);
            System.out.println("nobody " + nobody.a.endpoint);
            System.out.println("mismatched " + mismatched.b.endpoint);
            System.out.println("idle " + idle.a.endpoint);
            boolean taken = ignoring.a.endpoint.messages().send(memory, ignoring.a.peer, 1)
                    | !unpolled.a.endpoint.messages().send(memory, unpolled.a.peer, 1)
                    | !mismatched.b.endpoint.tagged().receive(memory, Address.ANY, 1, 0, 1)
                    | !mismatched.a.endpoint.tagged().send(memory, mismatched.a.peer, 2, 1);
            if (taken) {
                throw new AssertionError("the providers do not behave as this needs");
            }
            long closedPort = nobody.a.addresses.insert(Address.of(new InetSocketAddress("127.0.0.1", 9)));
            List<MemoryRegion> leaked = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                leaked.add(idle.domain.register(memory, MemoryAccess.REMOTE_READ));
            }
            long end = System.nanoTime() + NANOS;
            while (System.nanoTime() < end) {
                if (nobody.a.endpoint.messages().send(memory, closedPort, 1)) {
                    throw new AssertionError("somebody listens at port 9");
                }
                nobody.progress();
                mismatched.progress();
                Thread.sleep(10);
            }
            System.out.println("regions: " + leaked.size());
        }
    }
}
