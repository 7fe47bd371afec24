// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.OpenObject;
import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What other threads see of an object whose constructor is not done. */
@Timeout(60)
class HalfMadeTest {
    private Arena arena;
    private Pair pair;
    private DomainImpl domain;

    /** A counter for C. */
    private static final class Slow extends FidObject {
        private final String kind;

        Slow(FidObject parent, long fid, Runnable meanwhile) {
            super(parent, fid);
            meanwhile.run();
            kind = "slow";
        }

        @Override
        public String kind() {
            return kind.toString();
        }
    }

    @BeforeEach
    void open() {
        assumeTrue(Providers.SHM.isOffered());
        arena = Arena.ofShared();
        pair = Pair.open(Providers.SHM);
        domain = (DomainImpl) pair.domain;
    }

    @AfterEach
    void close() {
        if (pair != null) {
            pair.close();
            arena.close();
        }
    }

    private Slow open(Runnable meanwhile) {
        MemorySegment attr = fi_cntr_attr.allocate(arena);
        return domain.state().open("fi_cntr_open", (d, result) -> DomainOps.cntrOpen(d, attr.address(), result, 0),
                fid -> new Slow(domain, fid, meanwhile));
    }

    private boolean isChild() {
        AtomicBoolean found = new AtomicBoolean();
        domain.eachChild(child -> found.compareAndSet(false, child instanceof Slow));
        return found.get();
    }

    private static List<String> kinds() {
        return Fabric.openObjects().stream().map(OpenObject::kind).toList();
    }

    @Test
    void nobodySeesIt() {
        Slow made = open(() -> {
            assertThat(isChild()).isFalse();
            assertThat(kinds()).doesNotContain("Slow");
        });
        assertThat(isChild()).isTrue();
        assertThat(kinds()).contains("Slow");
        made.close();
        assertThat(isChild()).isFalse();
        assertThat(kinds()).doesNotContain("Slow");
    }

    @Test
    void whatCannotBeMadeIsClosed() {
        assertThatThrownBy(() -> open(() -> {
            throw new IllegalStateException("no");
        })).hasMessage("no");
        assertThat(kinds()).doesNotContain("Slow");
        // the provider counts what is open
        domain.close();
        assertThat(domain.isOpen()).isFalse();
    }

    @Test
    void aParentThatIsClosedMeanwhileWaitsAndClosesItToo() throws InterruptedException {
        Thread[] closer = new Thread[1];
        Slow made = open(() -> {
            closer[0] = Thread.ofPlatform().start(domain::close);
            awaitSleep(closer[0]);
            assertThat(domain.isOpen()).isTrue();
        });
        closer[0].join();
        assertThat(made.isOpen()).isFalse();
        assertThat(domain.isOpen()).isFalse();
    }

    @Test
    void whoIsToBeAloneKeepsOthersOutOfItToo() throws InterruptedException {
        Thread[] loner = new Thread[1];
        CountDownLatch alone = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        Slow made = open(() -> {
            loner[0] = Thread.ofPlatform().start(() -> domain.exclusively(() -> {
                alone.countDown();
                await(tried);
            }));
            awaitSleep(loner[0]);
        });
        await(alone);
        Thread user = Thread.ofPlatform().start(() -> made.call(fid -> fid));
        try {
            user.join(100);
            assertThat(user.isAlive()).isTrue();
        } finally {
            tried.countDown();
        }
        user.join();
        loner[0].join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Closers sleep for short times while they wait for others. */
    private static void awaitSleep(Thread thread) {
        Waits.spin("it sleeps", () -> {
            assertThat(thread.isAlive()).isTrue();
            return thread.getState() == Thread.State.TIMED_WAITING;
        });
    }
}
