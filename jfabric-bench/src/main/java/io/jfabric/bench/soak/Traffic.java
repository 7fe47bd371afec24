// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import io.jfabric.RemoteRegion;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one process does to another, each method in a thread of its own until it is told to end. */
final class Traffic {
    static final int MESSAGE_LANES = 4;
    static final int RMA_LANES = 2;
    static final int CALL_LANES = 8;
    static final int SERVICE = 7;
    /** For each operation: only what is lost takes so long, on a machine with much else to do too. */
    static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final int WINDOW = 8;
    private static final long MESSAGE = 1000;
    private static final long CREDIT = 2000;

    final Tally sent = new Tally();
    final Tally received = new Tally();
    final Tally written = new Tally();
    final Tally calls = new Tally();
    final AtomicBoolean over = new AtomicBoolean();
    private final Node node;
    private final Peer peer;
    private final RemoteRegion region;
    private final MemorySegment text;

    Traffic(Node node, Peer peer, RemoteRegion region, MemorySegment text) {
        this.node = node;
        this.peer = peer;
        this.region = region;
        this.text = text;
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Messages, so many at once; the next when those have been looked at. An empty one is the last. */
    void send(int lane) throws Exception {
        Contents contents = new Contents(text, lane);
        MemorySegment credit = node.allocate(1);
        List<CompletableFuture<Void>> sends = new ArrayList<>();
        while (!over.get()) {
            CompletableFuture<Received> mayGoOn = node.receive(credit, CREDIT + lane);
            for (int i = 0; i < WINDOW; i++) {
                contents.next();
                sends.add(node.send(text, contents.offset, contents.size, peer, MESSAGE + lane));
                sent.add(contents.size);
            }
            for (CompletableFuture<Void> one : sends) {
                get(one);
            }
            sends.clear();
            get(mayGoOn);
        }
        get(node.send(text, 0, 0, peer, MESSAGE + lane));
    }

    /** The other side of {@link #send}. */
    void receive(int lane) throws Exception {
        Contents contents = new Contents(text, lane);
        MemorySegment credit = node.allocate(1);
        MemorySegment[] buffers = new MemorySegment[WINDOW];
        List<CompletableFuture<Received>> posted = new ArrayList<>();
        for (int i = 0; i < WINDOW; i++) {
            buffers[i] = node.allocate(Contents.LONGEST);
            posted.add(node.receive(buffers[i], MESSAGE + lane));
        }
        for (long number = 0;; number++) {
            int slot = (int) (number % WINDOW);
            long length = get(posted.get(slot)).length();
            if (length == 0) {
                break;
            }
            contents.next();
            contents.check("message " + number + " of lane " + lane, buffers[slot], length);
            received.add(length);
            posted.set(slot, node.receive(buffers[slot], MESSAGE + lane));
            if (slot == WINDOW - 1) {
                get(node.send(credit, peer, CREDIT + lane));
            }
        }
        posted.forEach(one -> one.cancel(true));
    }

    /** Writes to the peer's memory, and reads it again. */
    void write(int lane) throws Exception {
        Contents contents = new Contents(text, 100 + lane);
        MemorySegment back = node.allocate(Contents.LONGEST);
        long place = (long) lane * Contents.LONGEST;
        for (long number = 0; !over.get(); number++) {
            contents.next();
            get(node.write(text, contents.offset, contents.size, peer, region, place));
            get(node.read(back, 0, contents.size, peer, region, place));
            contents.check("write and read " + number + " of lane " + lane, back, contents.size);
            written.add(2 * contents.size);
        }
    }

    /** Requests that are answered with themselves. */
    void call(int lane, Caller caller) throws Exception {
        Contents contents = new Contents(text, 200 + lane);
        MemorySegment answer = node.allocate(Contents.LONGEST);
        for (long number = 0; !over.get(); number++) {
            contents.next();
            MemorySegment got = get(caller.call(contents.piece(), answer, PATIENCE));
            contents.check("call " + number + " of lane " + lane, got, got.byteSize());
            calls.add(2 * contents.size);
        }
    }
}
