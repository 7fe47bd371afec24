// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.demo;

import io.jfabric.AddressVector;
import io.jfabric.Completion;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.Messages;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;

/**
 * A reliable datagram endpoint, and the two ways to exchange messages that the demo measures. One receive is always
 * posted when a method starts and when it ends. The loops allocate nothing.
 */
final class Channel implements AutoCloseable {
    /** How many messages are under way at once where bandwidth is measured. */
    static final int WINDOW = 64;
    static final int LARGEST = 1 << 20;

    private static final long SEND = 1;
    private static final long RECEIVE = 2;
    private static final int ACKNOWLEDGEMENT_BYTES = 4;
    private static final int POLLS_BEFORE_YIELD = 1 << 10;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

    private final FabricInfo info;
    private final Fabric fabric;
    private final CompletionQueue queue;
    private final AddressVector addresses;
    private final Endpoint endpoint;
    private final Messages messages;
    private final MemorySegment out;
    private final MemorySegment in;
    private final long injectSize;
    private final CompletionHandler handler = this::count;
    private long peer;
    private long toSend;
    private long sent;
    private long toReceive;
    private long received;
    private long idleSince;

    private Channel(FabricInfo info, Fabric fabric) {
        this.info = info;
        this.fabric = fabric;
        Domain domain = fabric.openDomain(info);
        // closing the fabric closes it, after the endpoint
        FabricArena arena = domain.openArena();
        out = arena.allocate(LARGEST, 4096);
        in = arena.allocate(LARGEST, 4096);
        queue = domain.openCompletionQueue(CompletionFormat.CONTEXT);
        addresses = domain.openAddressVector();
        endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).enable();
        messages = endpoint.messages();
        injectSize = info.tx().injectSize();
        post(1);
    }

    /** Opens an endpoint of a provider that only this machine can reach. */
    static Channel open(String provider) {
        // shm knows no hosts
        String node = provider.equals("shm") ? null : "127.0.0.1";
        try (Hints hints = Hints.create().provider(provider).endpointType(EndpointType.RDM)
                     .capabilities(Capability.MSG);
             FabricInfoList infos = node == null ? Fabric.getInfo(hints)
                     : Fabric.getInfo(node, null, Set.of(GetInfoFlag.SOURCE), hints)) {
            FabricInfo info = infos.first().duplicate();
            return new Channel(info, Fabric.open(info));
        }
    }

    /** What the provider calls itself, layers included. */
    String provider() {
        return info.provider();
    }

    /** The endpoint's address, as text that fits into a line. */
    String address() {
        return HexFormat.of().formatHex(endpoint.address().bytes());
    }

    /** Who is at the other end. */
    void connect(String address) {
        peer = addresses.insert(HexFormat.of().parseHex(address));
    }

    /** Sends messages one by one, each after the answer to the last. */
    void ping(int bytes, int count) {
        for (int i = 0; i < count; i++) {
            send(bytes);
            awaitReceived();
            post(1);
        }
    }

    /** Answers messages. */
    void pong(int bytes, int count) {
        for (int i = 0; i < count; i++) {
            awaitReceived();
            post(1);
            send(bytes);
        }
        // the peer fetches large messages from here, which needs this side's progress
        awaitSent();
    }

    /** Sends messages window by window, each after the acknowledgement of the last. */
    void stream(int bytes, int windows) {
        awaitAcknowledgement();
        for (int i = 0; i < windows; i++) {
            for (int j = 0; j < WINDOW; j++) {
                send(bytes);
            }
            awaitAcknowledgement();
        }
    }

    /** Receives what {@link #stream} sends. The acknowledgement tells that receives are posted. */
    void drain(int windows) {
        post(WINDOW - 1);
        send(ACKNOWLEDGEMENT_BYTES);
        for (int i = 0; i < windows; i++) {
            awaitReceived();
            post(i + 1 < windows ? WINDOW : 1);
            send(ACKNOWLEDGEMENT_BYTES);
        }
    }

    private void awaitAcknowledgement() {
        awaitReceived();
        post(1);
    }

    private void post(int receives) {
        for (int i = 0; i < receives; i++) {
            while (!messages.receive(in, Address.ANY, RECEIVE)) {
                progress();
            }
            toReceive++;
        }
    }

    private void send(int bytes) {
        if (bytes <= injectSize) {
            // copied at once, so no completion is to be waited for
            while (!messages.inject(out, 0, bytes, peer)) {
                progress();
            }
        } else {
            while (!messages.send(out, 0, bytes, peer, SEND)) {
                progress();
            }
            toSend++;
        }
    }

    /** Waits until every posted receive has its message, and all that was sent has left. */
    private void awaitReceived() {
        awaitSent();
        for (long polls = 1; received < toReceive; polls++) {
            poll(polls);
        }
    }

    private void awaitSent() {
        for (long polls = 1; sent < toSend; polls++) {
            poll(polls);
        }
    }

    private void poll(long polls) {
        if (progress() > 0) {
            idleSince = 0;
        } else if ((polls & POLLS_BEFORE_YIELD - 1) == 0) {
            // The one waited for may need this processor.
            Thread.yield();
            long now = System.nanoTime();
            if (idleSince == 0) {
                idleSince = now;
            } else if (now - idleSince > PATIENCE_NANOS) {
                throw new IllegalStateException(provider() + ": no message for " + PATIENCE_NANOS / 1_000_000_000
                        + " s; has the peer gone?");
            }
        }
    }

    private int progress() {
        return queue.poll(handler, WINDOW);
    }

    private void count(Completion completion) {
        if (completion.context() == RECEIVE) {
            received++;
        } else {
            sent++;
        }
    }

    @Override
    public void close() {
        fabric.close();
        info.close();
    }
}
