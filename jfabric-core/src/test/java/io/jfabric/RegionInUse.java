// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Closes a region over memory that a receive uses, in a process of its own: {@link RegionInUseTest}. */
final class RegionInUse {
    private static final long SIZE = 100_000;

    private RegionInUse() {
    }

    public static void main(String[] args) {
        if (args[1].equals("elsewhere")) {
            ofAnotherDomain(args[0]);
        } else {
            inUse(args);
        }
        System.out.println("SURVIVED");
    }

    /** The arena is closed with its domain, but its memory is kept for the region. */
    private static void ofAnotherDomain(String provider) {
        try (Pair pair = open(provider, "device"); Pair other = open(provider, "device")) {
            MemorySegment memory = other.domain.openArena().allocate(SIZE);
            MemoryRegion region = pair.domain.register(memory, MemoryAccess.REMOTE_WRITE);
            other.domain.close();
            assertThat(memory.scope().isAlive()).isFalse();
            region.close();
        }
    }

    private static void inUse(String[] args) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(args[0], args[1])) {
            MemorySegment out = arena.allocate(SIZE).fill((byte) 7);
            boolean ours = args[1].equals("arena");
            MemorySegment in = ours ? pair.domain.openArena().allocate(SIZE) : arena.allocate(SIZE);
            MemoryRegion region = pair.domain.register(in, MemoryAccess.RECV, MemoryAccess.REMOTE_READ);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 1, 0, 1));
            boolean refuses = args[1].equals("local");
            if (refuses) {
                assertThatThrownBy(region::close).isInstanceOfSatisfying(FabricException.class,
                        e -> assertThat(e.error()).isEqualTo(FabricError.EBUSY))
                        .hasMessageContaining("operation with context 1").hasMessageContaining("openArena");
            } else {
                region.close();
            }
            // where the region's memory was in the provider
            for (int i = 0; i < 2000; i++) {
                arena.allocate(16 + i % 300).fill((byte) 0x41);
            }
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 1, 2));
            assertThat(pair.awaitAny(pair.b, done -> done.context() == 1).error()).isNull();
            assertThat(in.mismatch(out)).isEqualTo(-1);
            pair.awaitAny(pair.a, done -> done.context() == 2);
            region.close();
            assertThat(region.isOpen()).isFalse();
            // the domain closes what uses it first
            MemoryRegion last = pair.domain.register(in, MemoryAccess.RECV);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 1, 0, 1));
            pair.domain.close();
            assertThat(last.isOpen()).isFalse();
        }
    }

    static Pair open(String provider, String demand) {
        return Pair.openChanged(new Providers.Choice(provider, EndpointType.RDM), hints -> {
            hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA);
            if (demand.equals("device")) {
                hints.addCapabilities(Capability.HMEM);
            }
        }, info -> {
            if (!demand.equals("device")) {
                LocalBuffersTest.demandRegistration(info);
            }
        });
    }
}
