// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.AddressVector;
import io.jfabric.AtomicOp;
import io.jfabric.Atomics;
import io.jfabric.Completion;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Datatype;
import io.jfabric.Endpoint;
import io.jfabric.RemoteRegion;
import io.jfabric.Rma;
import io.jfabric.TaggedMessages;
import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** An endpoint with its own completion queue; twin of {@code struct side}. */
final class Side implements AutoCloseable, CompletionHandler {
    static final int BATCH = 16;
    static final int WINDOW = 64;
    /** Contexts, and indices of the counts. */
    static final int RX = 0;
    static final int TX = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    final Endpoint endpoint;
    final MemorySegment sendBuffer;
    final MemorySegment receiveBuffer;
    final MemorySegment memory;
    final long injectSize;
    long peer;
    long sent;
    long received;
    private final OpenDomain domain;
    private final TaggedMessages tagged;
    private final Rma rma;
    private final Atomics atomics;
    private final MemorySegment operand;
    private final MemorySegment previous;
    private final CompletionQueue queue;
    private final AddressVector vector;
    /** Null without a buffer: to close a shared arena takes longer than to close an endpoint. */
    private final Arena arena;
    private Side other;

    Side(OpenDomain domain, long half) {
        this.domain = domain;
        injectSize = domain.info.tx().injectSize();
        vector = domain.domain.openAddressVector();
        queue = domain.domain.openCompletionQueue(CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(domain.sleeps ? WaitObject.UNSPEC : WaitObject.NONE)).ignoreSources();
        endpoint = domain.domain.openEndpoint(domain.info);
        if (domain.setting == Setting.RAW) {
            endpoint.rawContexts();
        }
        endpoint.bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector).enable();
        tagged = endpoint.tagged();
        rma = endpoint.rma();
        atomics = endpoint.atomics();
        arena = half == 0 ? null : Arena.ofShared();
        memory = half == 0 ? MemorySegment.NULL : arena.allocate(2 * half, 4096).fill((byte) 1);
        sendBuffer = memory.asSlice(0, half);
        receiveBuffer = memory.asSlice(half, half);
        operand = memory.asSlice(0, Math.min(half, Long.BYTES));
        previous = memory.asSlice(half, Math.min(half, Long.BYTES));
    }

    OpenDomain domain() {
        return domain;
    }

    void other(Side side) {
        other = side;
    }

    byte[] name() {
        return endpoint.address().bytes();
    }

    void connect(byte[] address) {
        peer = vector.insert(address);
    }

    @Override
    public void onCompletion(Completion completion) {
        if (completion.context() == RX) {
            received++;
        } else {
            sent++;
        }
    }

    int poll() {
        return queue.poll(this, BATCH);
    }

    void progress() {
        poll();
        if (other != null) {
            other.poll();
        }
    }

    void awaitSent(long count) {
        poll();
        while (sent < count) {
            progress();
        }
    }

    void awaitReceived(long count) {
        poll();
        while (received < count) {
            progress();
        }
    }

    void send(long bytes, long tag) {
        while (!tagged.send(sendBuffer, 0, bytes, peer, tag, TX)) {
            progress();
        }
    }

    void inject(long bytes, long tag) {
        while (!tagged.inject(sendBuffer, 0, bytes, peer, tag)) {
            progress();
        }
    }

    /** Sleeps until there are completions. */
    void sleepUntilSent(long count) {
        while (sent < count) {
            queue.await(this, BATCH, PATIENCE);
        }
    }

    void sleepUntilReceived(long count) {
        while (received < count) {
            queue.await(this, BATCH, PATIENCE);
        }
    }

    void write(long bytes, RemoteRegion region, long offset) {
        while (!rma.write(sendBuffer, 0, bytes, peer, region, offset, TX)) {
            progress();
        }
    }

    void read(long bytes, RemoteRegion region, long offset) {
        while (!rma.read(receiveBuffer, 0, bytes, peer, region, offset, TX)) {
            progress();
        }
    }

    /** Adds a number to the peer's, and fetches what was there. */
    void add(RemoteRegion region, long offset) {
        while (!atomics.fetchAndApply(operand, previous, peer, region, offset, Datatype.UINT64, AtomicOp.SUM, TX)) {
            progress();
        }
    }

    void receive(long bytes, long tag) {
        while (!tagged.receive(receiveBuffer, 0, bytes, Address.ANY, tag, 0, RX)) {
            progress();
        }
    }

    @Override
    public void close() {
        endpoint.close();
        queue.close();
        vector.close();
        if (arena != null) {
            arena.close();
        }
    }
}
