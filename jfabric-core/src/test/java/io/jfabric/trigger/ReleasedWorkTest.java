// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.shared.OpenDomains;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that is released while it may be under way, with memory of another domain, which is closed already. */
@Timeout(60)
class ReleasedWorkTest {
    /** Others of this JVM may have left theirs under way. */
    private static List<String> usersOf(MemorySegment memory) {
        return OpenDomains.underWay(kept -> {
            AtomicBoolean uses = new AtomicBoolean();
            KeptMemory.forEach(kept, segment -> uses.compareAndSet(false, segment.address() == memory.address()));
            return uses.get();
        });
    }

    @Test
    void itsMemoryIsInUse() {
        Providers.SOCKETS.assumeOffered();
        MemorySegment in;
        try (Pair pair = Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TRIGGER))) {
            Counter trigger = pair.domain.openCounter();
            Domain other = pair.fabric.openDomain(pair.info);
            in = other.openArena().allocate(8);
            DeferredWork work = Deferral.at(trigger, 1).completionCounter(pair.domain.openCounter())
                    .queue(pair.b.endpoint.messages().receiveRequest().buffers(in).peer(Address.ANY));
            trigger.add(1);
            other.close();
            work.release();
            assertThat(usersOf(in)).hasSize(1);
        }
        assertThat(usersOf(in)).isEmpty();
    }
}
