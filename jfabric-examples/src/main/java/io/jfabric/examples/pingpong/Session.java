// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.Fabric;
import io.jfabric.FabricInfo;
import io.jfabric.FabricInfoList;
import io.jfabric.Hints;
import io.jfabric.info.Capability;
import java.io.IOException;

/** Both sides know each other and can send. Closing it closes all that libfabric opened. */
final class Session implements AutoCloseable {
    private final FabricInfo info;
    private final Fabric fabric;
    private final Link link;
    private final Transfers transfers;

    private Session(FabricInfo info, Fabric fabric, Link link, Transfers transfers) {
        this.info = info;
        this.fabric = fabric;
        this.link = link;
        this.transfers = transfers;
    }

    /** Opens a connectionless endpoint and exchanges addresses with the peer: the client needs the server's first. */
    static Session connectionless(Options options, Control control, Trace trace) throws IOException {
        try (Hints hints = options.hints()) {
            Control.Name server = control.isClient() ? control.receiveName() : null;
            if (server != null) {
                hints.destinationAddress(server.address());
            }
            FabricInfo info = find(hints);
            trace.say("using%n%s", info);
            Fabric fabric = null;
            try {
                fabric = Fabric.open(info);
                Link link = Link.open(fabric, info, null, options.largest());
                Transfers transfers = new Transfers(link, control, options.check);
                transfers.postReceive();
                control.send(new Control.Name(info.addressFormatCode(), link.endpoint().address().bytes()));
                Control.Name peer = server != null ? server : control.receiveName();
                transfers.peer(link.addresses().insert(peer.address()));
                return new Session(info, fabric, link, transfers);
            } catch (IOException | RuntimeException e) {
                close(fabric, info);
                throw e;
            }
        }
    }

    private static FabricInfo find(Hints hints) {
        try (FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first().duplicate();
            // nobody asked for it, and to look at senders takes time
            info.caps(info.caps().without(Capability.DIRECTED_RECV));
            info.rx().caps(info.rx().caps().without(Capability.DIRECTED_RECV));
            return info;
        }
    }

    Transfers transfers() {
        return transfers;
    }

    /** Bytes of the largest message. */
    long largest() {
        return link.largest();
    }

    @Override
    public void close() {
        close(fabric, info);
    }

    private static void close(Fabric fabric, FabricInfo info) {
        if (fabric != null) {
            fabric.close();
        }
        info.close();
    }
}
