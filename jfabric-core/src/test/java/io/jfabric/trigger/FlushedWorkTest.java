// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Counter;
import io.jfabric.FabricException;
import io.jfabric.MessageRequest;
import io.jfabric.bindings.fi_ops;
import io.jfabric.bindings.fid;
import io.jfabric.info.Capability;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deferred work that is cancelled with others. No provider here can: sockets is made to say that it has. */
@Timeout(60)
class FlushedWorkTest {
    private final FailingCalls control = new FailingCalls(0);
    private Arena arena;
    private Pair pair;
    private DomainState domain;
    private Counter trigger;
    private Counter other;
    private Counter done;

    @BeforeEach
    void open() {
        Providers.SOCKETS.assumeOffered();
        arena = Arena.ofShared();
        pair = Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TRIGGER));
        domain = ((DomainImpl) pair.domain).state();
        control.function(domain.object().fid(), fid.ops$offset(), fi_ops.control$offset(), JAVA_INT,
                JAVA_LONG, JAVA_INT, JAVA_LONG);
        trigger = pair.domain.openCounter();
        other = pair.domain.openCounter();
        done = pair.domain.openCounter();
    }

    @AfterEach
    void close() {
        pair.close();
        arena.close();
    }

    private MessageRequest send() {
        return pair.a.endpoint.messages().sendRequest().buffers(arena.allocate(8)).peer(pair.a.peer);
    }

    private DeferredWork deferSend(Counter counter) {
        return Deferral.at(counter, 5).completionCounter(done).queue(send());
    }

    private static void waits(DeferredWork work) {
        assertThatThrownBy(work::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatWaitedForTheCounterNeedsNothing() {
        DeferredWork send = deferSend(trigger);
        Counter changed = pair.domain.openCounter();
        DeferredWork add = Deferral.at(trigger, 5).add(changed, 1);
        DeferredWork waiting = deferSend(other);
        control.next(1);
        Deferral.flush(trigger);
        assertThat(control.failed()).isOne();
        send.release();
        changed.close();
        add.release();
        waits(waiting);
        assertThatThrownBy(pair.a.endpoint::close).isInstanceOf(FabricException.class);
        other.close();
        pair.a.endpoint.close();
        done.close();
        trigger.close();
        assertThat(trigger.isOpen()).isFalse();
    }

    @Test
    void allIsCancelledAtOnce() {
        DeferredWork first = deferSend(trigger);
        DeferredWork second = deferSend(other);
        control.next(1);
        Deferral.flushAll(pair.domain);
        assertThat(control.failed()).isOne();
        first.release();
        second.release();
        pair.a.endpoint.close();
        done.close();
        assertThat(done.isOpen()).isFalse();
    }

    @Test
    void whatTheProviderRefusesGoesOnWaiting() {
        DeferredWork work = deferSend(trigger);
        assertThatThrownBy(() -> Deferral.flush(trigger)).isInstanceOf(FabricException.class);
        assertThatThrownBy(() -> Deferral.flushAll(pair.domain)).isInstanceOf(FabricException.class);
        waits(work);
    }

    @Test
    void whatIsQueuedMeanwhileMayHaveBeenLeftOut() {
        DeferredWork before = deferSend(trigger);
        DeferredWork[] meanwhile = new DeferredWork[1];
        domain.pendingTriggers().flush((CounterImpl) trigger, () -> {
            meanwhile[0] = deferSend(trigger);
            return 0;
        });
        before.release();
        waits(meanwhile[0]);
    }

    /** They are no work. */
    @Test
    void triggeredOperationsGoOnWaiting() {
        pair.post(() -> Trigger.at(trigger, 5).post(send(), 1));
        control.next(2);
        Deferral.flush(trigger);
        Deferral.flushAll(pair.domain);
        assertThat(control.failed()).isEqualTo(2);
        assertThatThrownBy(pair.a.endpoint::close).isInstanceOf(FabricException.class)
                .hasMessageContaining("counter reaches 5");
    }
}
