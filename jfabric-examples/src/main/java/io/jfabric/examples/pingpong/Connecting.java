// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** How connected endpoints come together. */
final class Connecting {
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Fabric fabric;
    private final EventQueue events;
    private final Control control;

    /** Opens the endpoint that accepts. */
    interface Opener {
        Endpoint open(FabricInfo info) throws IOException;
    }

    Connecting(Fabric fabric, EventQueue events, Control control) {
        this.fabric = fabric;
        this.events = events;
        this.control = control;
    }

    /** The server's part: tells the client where to connect to, and accepts with the endpoint that the opener opens. */
    void listen(FabricInfo info, Opener opener) throws IOException {
        try (PassiveEndpoint listener = fabric.openPassiveEndpoint(info).bind(events).listen()) {
            control.send(new Control.Name(info.addressFormatCode(), listener.address().bytes()));
            if (!(next() instanceof FabricEvent.ConnectionRequest request)) {
                throw new IOException("the first event is not a connection request");
            }
            // a request that is not accepted is rejected when it is closed
            try (request) {
                Endpoint endpoint = opener.open(request.info());
                endpoint.accept();
                awaitConnected(endpoint);
            }
        }
    }

    /** The client's part. */
    void connect(Endpoint endpoint, Address server) throws IOException {
        endpoint.connect(server);
        awaitConnected(endpoint);
    }

    private void awaitConnected(Endpoint endpoint) throws IOException {
        FabricEvent event = next();
        if (!(event instanceof FabricEvent.Connected connected) || connected.endpoint() != endpoint) {
            throw new IOException("not connected: unexpected event " + event);
        }
    }

    private FabricEvent next() throws IOException {
        while (true) {
            Optional<FabricEvent> event = events.await(LOOK);
            if (event.isPresent()) {
                return event.get();
            }
            if (control.peerIsGone()) {
                throw new EOFException("the peer closed the control connection before it was connected");
            }
        }
    }
}
