// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.demo;

import io.jfabric.Fabric;
import io.jfabric.async.IdleStrategy;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A node, the two ways to exchange messages that the demo measures, and one that it checks. */
final class Channel implements AutoCloseable {
    /** How many messages are under way at once where bandwidth is measured. */
    static final int WINDOW = 64;
    static final int LARGEST = 1 << 20;

    private static final int READY_BYTES = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** One thread does everything here, progress too. It lets the other process have the processor while it waits. */
    private static final NodeOptions OPTIONS = NodeOptions.DEFAULT.withCallerProgress()
            .withIdle(IdleStrategy.yielding());

    private final Node node;
    private final MemorySegment out;
    private final MemorySegment in;
    private final List<CompletableFuture<?>> window = new ArrayList<>();
    private Peer peer;

    private Channel(Node node) {
        this.node = node;
        out = node.memory().allocate(LARGEST, 4096);
        in = node.memory().allocate(LARGEST, 4096);
    }

    /** Opens a node that only this machine can reach. */
    static Channel open(String provider) {
        // shm knows no hosts
        try (Hints hints = Hints.rdm().provider(provider).oneThread();
             FabricInfoList infos = provider.equals("shm") ? Fabric.getInfo(hints)
                     : Fabric.getInfo("127.0.0.1", null, Set.of(GetInfoFlag.SOURCE), hints)) {
            return new Channel(Node.open(infos.first(), OPTIONS));
        }
    }

    /** The provider and all its parts, such as {@code tcp;ofi_rxm}. */
    String provider() {
        return node.domain().info().provider();
    }

    /** The node's address, as text that fits into a line. */
    String address() {
        return HexFormat.of().formatHex(node.address().bytes());
    }

    /** Who is at the other end. */
    void connect(String address) {
        peer = node.peer(HexFormat.of().parseHex(address));
    }

    /** Sends one message and takes the answer. Returns what is wrong with that, empty if nothing is. */
    String ask(int bytes) {
        Content.fill(out, bytes, false);
        in.fill((byte) 0);
        CompletableFuture<Received> answer = node.receive(in);
        await(node.send(out, 0, bytes, peer));
        await(answer);
        return Content.trouble(in, answer.join().length(), bytes, true);
    }

    /** The other side of {@link #ask}, for the message. */
    String answer(int bytes) {
        Content.fill(out, bytes, true);
        in.fill((byte) 0);
        CompletableFuture<Received> message = node.receive(in);
        await(message);
        String trouble = Content.trouble(in, message.join().length(), bytes, false);
        await(node.send(out, 0, bytes, peer));
        return trouble;
    }

    /** Sends messages one by one, each after the answer to the last. */
    void ping(int bytes, int count) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<?> answer = node.receive(in);
            CompletableFuture<?> sent = node.send(out, 0, bytes, peer);
            await(answer);
            await(sent);
        }
    }

    /** Answers messages. */
    void pong(int bytes, int count) {
        for (int i = 0; i < count; i++) {
            await(node.receive(in));
            await(node.send(out, 0, bytes, peer));
        }
    }

    /** Sends messages window by window, each when the peer is ready for it; in the end the peer has them all. */
    void stream(int bytes, int windows) {
        for (int i = 0; i < windows; i++) {
            await(node.receive(in));
            for (int j = 0; j < WINDOW; j++) {
                window.add(node.send(out, 0, bytes, peer));
            }
            awaitWindow();
        }
        await(node.receive(in));
    }

    /** Receives what {@link #stream} sends. */
    void drain(int windows) {
        for (int i = 0; i < windows; i++) {
            for (int j = 0; j < WINDOW; j++) {
                window.add(node.receive(in));
            }
            await(node.send(out, 0, READY_BYTES, peer));
            awaitWindow();
        }
        await(node.send(out, 0, READY_BYTES, peer));
    }

    private void awaitWindow() {
        window.forEach(this::await);
        window.clear();
    }

    private void await(CompletableFuture<?> future) {
        node.await(future, PATIENCE);
    }

    @Override
    public void close() {
        node.close();
    }
}
