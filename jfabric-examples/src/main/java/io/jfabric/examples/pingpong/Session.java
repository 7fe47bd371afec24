// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import java.io.IOException;

/** Both sides know each other and can send. Closing it closes all that libfabric opened. */
final class Session implements AutoCloseable {
    private final Options options;
    private final Control control;
    private final Fabric fabric;
    private Link link;
    private Transfers transfers;

    private Session(Options options, Control control, Fabric fabric) {
        this.options = options;
        this.control = control;
        this.fabric = fabric;
    }

    /** Finds a provider, opens an endpoint and gets to know the peer. A client needs the server's address for that. */
    static Session open(Options options, Control control, Trace trace) throws IOException {
        try (Hints hints = options.hints()) {
            Control.Name server = control.isClient() ? control.receiveName() : null;
            if (server != null) {
                hints.destinationAddress(server.address());
            }
            try (FabricInfo info = find(options, hints)) {
                trace.say("using%n%s", info);
                Session session = new Session(options, control, Fabric.open(info));
                try {
                    session.meet(info, server);
                    return session;
                } catch (IOException | RuntimeException e) {
                    session.close();
                    throw e;
                }
            }
        }
    }

    private static FabricInfo find(Options options, Hints hints) {
        try (FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first().duplicate();
            // nobody asked for it, and to look at senders takes time
            info.capabilities(info.capabilities().without(Capability.DIRECTED_RECV));
            info.rx().capabilities(info.rx().capabilities().without(Capability.DIRECTED_RECV));
            return info;
        } catch (FabricException e) {
            if (e.error() == FabricError.ENODATA && options.type == EndpointType.DGRAM) {
                throw FabricException.of(e.operation(), e.errno(), "no datagrams there: name the endpoint type, -e rdm "
                        + "or -e msg, on both sides");
            }
            throw e;
        }
    }

    private void meet(FabricInfo info, Control.Name server) throws IOException {
        if (options.type != EndpointType.MSG) {
            exchangeAddresses(info, server);
            return;
        }
        EventQueue events = fabric.openEventQueue();
        Connecting connecting = new Connecting(fabric, events, control);
        if (server != null) {
            use(Link.open(fabric, info, events, options.largest()));
            connecting.connect(link.endpoint(), server.address());
        } else {
            connecting.listen(info, request -> {
                use(Link.open(fabric, request, events, options.largest()));
                return link.endpoint();
            });
        }
    }

    private void exchangeAddresses(FabricInfo info, Control.Name server) throws IOException {
        use(Link.open(fabric, info, null, options.largest()));
        control.send(new Control.Name(info.addressFormatCode(), link.endpoint().address().bytes()));
        Control.Name peer = server != null ? server : control.receiveName();
        transfers.peer(link.addresses().insert(peer.address()));
        if (options.type == EndpointType.DGRAM) {
            // The peer's goodbye may overtake this side's last receive, and a datagram would be lost.
            transfers.postSpareReceive();
        }
    }

    private void use(Link opened) throws IOException {
        link = opened;
        transfers = new Transfers(opened, control, options.check);
        transfers.postReceive();
    }

    Transfers transfers() {
        return transfers;
    }

    /** Bytes of the largest message. */
    long largest() {
        return link.largest();
    }

    /** Ends a connection; nothing else. */
    void shutdown() {
        if (options.type == EndpointType.MSG) {
            link.endpoint().shutdown();
        }
    }

    @Override
    public void close() {
        fabric.close();
    }
}
