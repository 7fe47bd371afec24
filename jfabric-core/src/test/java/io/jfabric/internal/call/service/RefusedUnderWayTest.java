// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A long request that is under way already when its call is refused; its caller is made by hand. */
@Timeout(60)
class RefusedUnderWayTest {
    private static final int LONG = 1 << 20;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Else it stays with the provider of its caller for ever, and blocks what comes behind it. */
    @ParameterizedTest
    @MethodSource("providers")
    void isReceivedNevertheless(Providers.Choice choice) throws Exception {
        ServiceOptions busy = ServiceOptions.DEFAULT.withLimit(1);
        isReceived(choice, busy.withLargestRequest(LONG), Frame.BUSY);
        isReceived(choice, busy.withLargestRequest(LONG - 1), Frame.TOO_LONG);
    }

    private static void isReceived(Providers.Choice choice, ServiceOptions options, int said) throws Exception {
        try (NodePair nodes = NodePair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Service service = Service.open(nodes.b, 5, call -> { }, options);
                CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5)) {
            caller.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
            CompletableFuture<Void> sent = caller.sends(nodes.a.allocate(LONG), caller.eagerTag());
            caller.says(Frame.CALL_LARGE, 2, LONG, Frame.NO_DEADLINE, caller.eagerTag());
            assertThat(caller.hears()).returns(said, CallerByHand.Said::type).returns(2L, CallerByHand.Said::id);
            assertThat(sent.get(20, TimeUnit.SECONDS)).isNull();
            assertThat(service.refused()).isOne();
        }
    }
}
