// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Service;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.clock.Clock;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that the clock ends as it is about to be sent, and says that it never was: it is not. */
@Timeout(60)
class ClaimedCallTest {
    @Test
    void isNotSentAnyMore() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try (NodePair nodes = NodePair.open(Providers.SHM);
                Service _ = Service.open(nodes.b, 5, call -> {
                    seen.addAndGet(call.bytes()[0]);
                    call.answer(new byte[0]);
                });
                Caller caller = Caller.open(nodes.toB, 5)) {
            caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
            BytesCall call = new BytesCall(((NodeImpl) nodes.a).drive(), MemorySegment.ofArray(new byte[] {7}),
                    Clock.after(1));
            assertThat(call.claim()).isTrue();
            ((CallerImpl) caller).submit(call, TimeUnit.MINUTES.toNanos(1));
            // in order behind it
            caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
            assertThat(seen).hasValue(0);
            assertThat(call.id).isZero();
            ((CallerImpl) caller).end(call);
            Waits.until("it has no place any more", () -> caller.underWay() == 0 && caller.waiting() == 0);
        }
    }
}
