// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is opened to find a wait object that works does not hide what the provider has answered. */
@Timeout(60)
class WaitObjectOffersTest {
    /** A counter for C; a thread is in the way of its close, the first time. */
    private static final class Probe extends FidObject {
        private boolean isFree;

        Probe(FidObject parent, long fid) {
            super(parent, fid);
        }

        @Override
        public String kind() {
            return "counter";
        }

        @Override
        public void closing() {
            if (!isFree) {
                isFree = true;
                throw new IllegalStateException("a thread does not come out of a native call");
            }
        }
    }

    @Test
    void aProbeThatCannotBeClosedHidesNothing() {
        assumeTrue(Providers.SHM.isOffered());
        List<Probe> probes = new ArrayList<>();
        try (Pair pair = Pair.open(Providers.SHM); Arena arena = Arena.ofConfined()) {
            DomainImpl domain = (DomainImpl) pair.domain;
            MemorySegment attr = fi_cntr_attr.allocate(arena);
            FabricException missing = catchThrowableOfType(FabricException.class, () -> WaitObjectOffers.open(
                    WaitObject.MUTEX_COND, null, "shm", object -> {
                        if (object == WaitObject.MUTEX_COND) {
                            throw FabricException.of("fi_cntr_open", FabricError.EINVAL.code(), null);
                        }
                        probes.add(domain.state().open("fi_cntr_open",
                                (d, result) -> DomainOps.cntrOpen(d, attr.address(), result, 0),
                                fid -> new Probe(domain, fid)));
                        return probes.getLast();
                    }));
            assertThat(missing.error()).isEqualTo(FabricError.EINVAL);
            assertThat(missing).hasMessageContaining("open it with WaitObject.UNSPEC");
            assertThat(probes).hasSize(1);
        }
        assertThat(probes).as("with its domain at the latest").noneMatch(FidObject::isOpen);
    }
}
