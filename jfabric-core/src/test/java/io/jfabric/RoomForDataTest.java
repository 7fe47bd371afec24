// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.trigger.Deferral;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes with data can be posted until the endpoint is busy, whatever else its ring of operations holds. */
@Timeout(90)
class RoomForDataTest {
    @BeforeAll
    static void offered() {
        Providers.SOCKETS.assumeOffered();
    }

    private static String run(String what) {
        ChildJvm.Result result = SharedJvm.run(RoomForData.class, what);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        return result.output();
    }

    @Test
    @Tag("long")
    void writesWithDataHaveRoom() {
        assertThat(run("direct")).contains("done 20000, received 20000");
    }

    @Test
    @Tag("long")
    void theyHaveRoomBesideWhatACounterStarts() {
        assertThat(run("started")).contains("done 10000, received 5000");
    }

    /** A ring of one entry is shorter than the longest operation. */
    @Test
    void theyHaveRoomInTheShortestRing() {
        assertThat(run("shortest")).contains("received 200");
    }

    @Test
    void whatStartsLaterHasNoData() {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SOCKETS,
                hints -> hints.capabilities(Capability.MSG, Capability.RMA, Capability.TRIGGER))) {
            MemorySegment memory = arena.allocate(8);
            RemoteRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE).remote();
            RmaRequest write = pair.a.endpoint.rma().writeRequest().buffers(memory).peer(pair.a.peer)
                    .range(region, 0, 8).data(5);
            // one that is there starts at once, but by another way
            for (long threshold : new long[] {0, 1}) {
                Counter counter = pair.domain.openCounter();
                Trigger trigger = Trigger.at(counter, threshold);
                refused(() -> trigger.post(write, 1));
                refused(() -> Deferral.at(counter, threshold).queue(write));
                pair.post(() -> trigger.post(write.noData(), 2));
                counter.add(1);
                pair.await(pair.a, 2);
                write.data(5);
            }
        }
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP)).hasMessageContaining("leave out data()");
    }
}
