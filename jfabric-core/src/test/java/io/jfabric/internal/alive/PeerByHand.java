// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A node with a keep-alive, and one that speaks by hand. */
final class PeerByHand implements AutoCloseable {
    /** Which process it says it is. */
    static final long PROCESS = 7;

    /** The other, as a peer of the node. */
    final Peer there;
    final KeepAlive alive;
    final MemorySegment beat;
    private final Node node;
    private final Node other;
    private final Peer back;

    PeerByHand(Providers.Choice choice, Duration interval) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED)) {
            node = Node.open(hints);
            other = Node.open(hints);
        }
        back = other.peer(node.address());
        there = node.peer(other.address());
        // or the provider may refuse the first answers, and the other does not ask again
        CompletableFuture<Void> sent = node.send(node.allocate(8), there, 1);
        other.receive(other.allocate(8), 1).get(20, TimeUnit.SECONDS);
        other.send(other.allocate(8), back, 1);
        node.receive(node.allocate(8), 1).get(20, TimeUnit.SECONDS);
        sent.get(20, TimeUnit.SECONDS);
        alive = KeepAlive.open(node, interval, 4);
        beat = other.allocate(Beat.LARGEST);
    }

    /** The next message to the other, which is in {@link #beat} then. */
    int hear() throws Exception {
        ((NodeImpl) other).internal().receive(beat, OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
        return Beat.type(beat);
    }

    /** The key of the next question of that type. */
    long hearQuestion(int type) throws Exception {
        while (hear() != type) {
            assertThat(Beat.type(beat)).isNotEqualTo(Beat.GIVEN_UP);
        }
        return Beat.key(beat);
    }

    /** What is answered to its question. */
    int hearAnswer() throws Exception {
        int type = hear();
        while (type == Beat.PING || type == Beat.WHO) {
            type = hear();
        }
        return type;
    }

    void ask(int type, long key) throws Exception {
        send(writeQuestion(type, key, PROCESS));
    }

    /** Writes a question of that process to {@link #beat}. Returns its length. */
    int writeQuestion(int type, long key, long process) {
        byte[] address = other.address().bytes();
        Beat.write(beat, type, key, process, address.length);
        MemorySegment.copy(address, 0, beat, ValueLayout.JAVA_BYTE, Beat.HEADER, address.length);
        return Beat.HEADER + address.length;
    }

    void answer(long key) throws Exception {
        Beat.write(beat, Beat.PONG, key, PROCESS, 0);
        send(Beat.HEADER);
    }

    /** Sends that much of {@link #beat}. */
    void send(long length) throws Exception {
        ((NodeImpl) other).internal().send(beat, 0, length, back, OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        node.close();
        other.close();
    }
}
