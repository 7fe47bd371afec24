// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.EventException;
import io.jfabric.FabricEvent;
import io.jfabric.info.EndpointType;

/** What {@link Connected} says when the two do not come together. */
class ConnectedTest {
    @FabricTest(providers = "tcp", type = EndpointType.MSG)
    void aClientThatFailsEndsTheWaitForTheServer(Connected connected) {
        connected.client().endpoint.connect(connected.listener.address());
        try (FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) connected.serverEvent()) {
            request.reject(new byte[0]);
        }
        // not only at the end of its patience
        assertThatThrownBy(connected::serverEvent).isInstanceOf(EventException.class);
    }
}
