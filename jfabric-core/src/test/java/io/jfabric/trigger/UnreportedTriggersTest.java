// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Endpoint;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.context.ContextReader;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.LateCounter;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.trigger.DeferredWorkImpl;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What triggered operations keep of which no completion is read, in a domain that stays open. */
@Timeout(60)
class UnreportedTriggersTest {
    private final MemorySegment in = Arena.global().allocate(8);
    private Pair pair;
    private CompletionQueue queue;
    private Counter sent;

    @BeforeEach
    void open() {
        Providers.SOCKETS.assumeOffered();
        pair = Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TRIGGER)).connect();
        queue = pair.domain.openCompletionQueue(CompletionFormat.MSG);
        sent = pair.domain.openCounter();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private Endpoint endpoint(BindFlag... transmit) {
        return pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, transmit).bind(queue, BindFlag.RECV)
                .bind(pair.a.addresses).bind(sent, BindFlag.TRANSMIT).enable();
    }

    /** In a method of its own, so that nothing here refers to the buffer. */
    private WeakReference<MemorySegment.Scope> send(Endpoint endpoint, long context) {
        MemorySegment buffer = Arena.ofAuto().allocate(8);
        pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
        pair.post(() -> Trigger.at(pair.domain.openCounter(), 0).post(
                endpoint.messages().sendRequest().buffers(buffer).peer(pair.a.peer), context));
        pair.await(pair.b, 1);
        pair.until("counted", () -> sent.read() == 1);
        return new WeakReference<>(buffer.scope());
    }

    /** Returns the scope of the provider's struct. The endpoint may be closed, and the work released, then. */
    private WeakReference<MemorySegment.Scope> queue(Endpoint endpoint, Consumer<DeferredWork> whenSent) {
        pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2));
        DeferredWork work = Deferral.at(pair.domain.openCounter(), 0).queue(
                endpoint.messages().sendRequest().buffers(Arena.global().allocate(8)).peer(pair.a.peer));
        pair.await(pair.b, 2);
        whenSent.accept(work);
        return new WeakReference<>(((DeferredWorkImpl) work).arena().scope());
    }

    /** Closes it while somebody else of this process may still use it, who does not any more afterwards. */
    private void closeLate(Endpoint endpoint) {
        DomainState domain = ((DomainImpl) pair.domain).state();
        LateCounter neighbour = LateCounter.open(pair.domain);
        neighbour.uses((FidObject) endpoint);
        neighbour.close();
        endpoint.close();
        neighbour.referred = false;
        pair.domain.openCounter().close();
        // who has found it empty before may say so only now
        domain.contexts().emptied((ContextReader) queue);
    }

    private static boolean isGone(WeakReference<?> reference) {
        System.gc();
        return reference.refersTo(null);
    }

    @Test
    void whatReportsNothingKeepsNothingOfAClosedEndpoint() {
        Endpoint endpoint = endpoint(BindFlag.SELECTIVE_COMPLETION);
        WeakReference<MemorySegment.Scope> buffer = send(endpoint, 7);
        assertThat(isGone(buffer)).as("the provider may use it, as far as is known").isFalse();
        endpoint.close();
        Waits.until("garbage", () -> isGone(buffer));
    }

    /** A queue might tell of it, and another one have its address. */
    @Test
    void theStructStaysUntilTheQueueIsEmpty() {
        Endpoint endpoint = endpoint();
        WeakReference<MemorySegment.Scope> struct = queue(endpoint, work -> endpoint.close());
        assertThat(isGone(struct)).isFalse();
        new Side(pair.a.endpoint, queue, null).poll();
        Waits.until("garbage", () -> isGone(struct));
    }

    @Test
    void soDoesTheStructOfWorkThatIsReleasedThen() {
        Endpoint endpoint = endpoint();
        WeakReference<MemorySegment.Scope> struct = queue(endpoint, work -> {
            endpoint.close();
            work.release();
        });
        assertThat(isGone(struct)).isFalse();
        new Side(pair.a.endpoint, queue, null).poll();
        Waits.until("garbage", () -> isGone(struct));
    }

    /** Threads may be in the queue when the provider closes the endpoint. */
    @Test
    void thatOfAnEndpointThatIsClosedLateStaysUntilTheQueueIsClosed() {
        Endpoint endpoint = endpoint();
        WeakReference<MemorySegment.Scope> struct = queue(endpoint, work -> closeLate(endpoint));
        assertThat(isGone(struct)).isFalse();
        queue.close();
        Waits.until("garbage", () -> isGone(struct));
    }

    private long readContext() {
        Side side = new Side(pair.a.endpoint, queue, null);
        pair.until("read", () -> side.poll() >= 0 && !side.done().isEmpty());
        return side.done().getFirst().context();
    }

    @Test
    void whatIsReadLaterStillHasItsContext() {
        Endpoint endpoint = endpoint();
        WeakReference<MemorySegment.Scope> buffer = send(endpoint, 8);
        endpoint.close();
        Waits.until("garbage", () -> isGone(buffer));
        assertThat(readContext()).isEqualTo(8);
    }

    @Test
    void soHasThatOfAnEndpointThatIsClosedLate() {
        Endpoint endpoint = endpoint();
        send(endpoint, 9);
        closeLate(endpoint);
        assertThat(readContext()).isEqualTo(9);
    }
}
