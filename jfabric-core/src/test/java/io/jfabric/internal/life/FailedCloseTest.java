// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An Error while an object is being closed, where the memory ends, does not keep its parent from being closed. */
@Timeout(60)
class FailedCloseTest {
    private static final class MemoryEnds extends Error {
        private static final long serialVersionUID = 1;
    }

    private static final class Failing extends LateCounter {
        Failing(FidObject parent, long fid) {
            super(parent, fid);
        }

        @Override
        protected boolean parked(long fid) {
            throw new MemoryEnds();
        }
    }

    private static final class FailingAfterCalls extends LateCounter {
        FailingAfterCalls(FidObject parent, long fid) {
            super(parent, fid);
        }

        @Override
        protected void called(long fid) {
            throw new MemoryEnds();
        }
    }

    @Test
    void whoFailsAfterACallIsNotInsideAnyMore() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            LateCounter failing = LateCounter.open(pair.domain, FailingAfterCalls::new);
            assertThatThrownBy(() -> failing.call(fid -> fid)).isInstanceOf(MemoryEnds.class);
            failing.referred = false;
            failing.close();
            assertThat(failing.isOpen()).isFalse();
        }
    }

    @Test
    void whatFailedIsClosedOnceAndItsParentAfterIt() {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            Failing failing = LateCounter.open(pair.domain, Failing::new);
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
            assertThat(failing.closed).hasValue(1);
            pair.domain.close();
            assertThat(pair.domain.isOpen()).isFalse();
        }
    }
}
