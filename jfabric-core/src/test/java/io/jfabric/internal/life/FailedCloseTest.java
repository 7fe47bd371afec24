// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An Error while an object is being closed, where the memory ends, does not keep its parent from being closed. */
@Timeout(60)
class FailedCloseTest {
    private static final class MemoryEnds extends Error {
        private static final long serialVersionUID = 1;
    }

    /** A counter that the provider must not close yet. */
    private static final class Failing extends FidObject implements Neighbours {
        private boolean referred = true;
        private int closed;

        Failing(FidObject parent, long fid) {
            super(parent, fid);
        }

        @Override
        protected Neighbours neighbours() {
            return this;
        }

        @Override
        protected boolean parked(long fid) {
            throw new MemoryEnds();
        }

        @Override
        public void closed() {
            closed++;
        }

        @Override
        public boolean isReferred() {
            return referred;
        }

        @Override
        public boolean mustStay() {
            return false;
        }

        @Override
        public List<AddressSpace> memory() {
            return List.of();
        }

        @Override
        public String kind() {
            return "counter";
        }
    }

    @Test
    void whatFailedIsClosedOnceAndItsParentAfterIt() {
        Failing failing;
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            DomainState domain = ((DomainImpl) pair.domain).state();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment attr = Structs.allocate(arena, fi_cntr_attr.layout());
                failing = domain.open("fi_cntr_open", (d, result) -> DomainOps.cntrOpen(d, attr.address(), result, 0),
                        fid -> new Failing(domain.object(), fid));
            }
            ((FidObject) pair.a.endpoint).uses(failing);
            assertThatThrownBy(failing::close).hasMessageContaining("FI_EBUSY");
            ((FidObject) pair.a.endpoint).usesNoLonger(failing);
            failing.uses((FidObject) pair.a.queue);
            assertThatThrownBy(failing::close).isInstanceOf(MemoryEnds.class);
            assertThat(failing.isOpen()).isFalse();
            failing.close();
            failing.referred = false;
            pair.a.endpoint.close();
            pair.a.queue.close();
            assertThat(failing.closed).isOne();
            pair.domain.close();
            assertThat(pair.domain.isOpen()).isFalse();
        }
    }
}
