// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricEvent;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The only member of a group: its join is complete as soon as somebody polls, which another thread does. */
@Tag("long")
class JoinRaceTest {
    /** Of an endpoint, which has room for 255. */
    private static final int JOINS = 150;
    private static final int ENDPOINTS = 2;

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theEventMayBeReadBeforeTheJoinReturns() throws InterruptedException {
        Providers.RXM.assumeOffered();
        for (int i = 0; i < ENDPOINTS; i++) {
            joins();
        }
    }

    private static void joins() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        List<FabricEvent> expected = new ArrayList<>();
        try (Member member = new Member(Providers.RXM)) {
            member.meet(List.of(member.endpoint.address().bytes()));
            AddressVectorSet set = member.set(0, 0, 1);
            Thread poller = Thread.ofPlatform().start(() -> {
                while (!stop.get()) {
                    member.progress();
                }
            });
            for (int i = 0; i < JOINS; i++) {
                CollectiveGroup group = Collectives.of(member.endpoint).join(set, i);
                while (!group.isJoined() && poller.isAlive()) {
                    TimeUnit.MICROSECONDS.sleep(10);
                }
                expected.add(new FabricEvent.JoinComplete(group, i));
            }
            stop.set(true);
            poller.join();
            assertThat(member.seen).isEqualTo(expected);
        }
    }
}
