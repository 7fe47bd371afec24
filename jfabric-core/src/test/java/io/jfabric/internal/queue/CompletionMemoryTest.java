// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.info.Address;
import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.RawContext;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A completion outlives the handler, and the queue, of those who keep it: what it reads is there as long as it is. */
@Timeout(60)
class CompletionMemoryTest {
    private static final long SIZE = 40;

    /** Of memory that is freed when nobody can reach it any more. */
    private WeakReference<Object> entries;
    private WeakReference<Object> taken;
    private long first;

    @Test
    void entriesStayAsLongAsTheCompletion() throws InterruptedException {
        CompletionImpl completion = queueOfOne();
        collect();
        assertThat(entries.get()).isNotNull();
        completion.reset();
        assertThat(completion.showOrdinary(first)).isTrue();
        assertThat(completion.context()).isEqualTo(1);
        Reference.reachabilityFence(completion);
        completion = null;
        while (entries.get() != null) {
            collect();
        }
    }

    @Test
    @Tag("long")
    void soDoesWhatACloserTookAside() throws InterruptedException {
        CompletionImpl completion = queueOfOne();
        showAside(completion);
        collect();
        assertThat(taken.get()).isNotNull();
        assertThat(completion.context()).isEqualTo(2);
        Reference.reachabilityFence(completion);
        completion = null;
        while (taken.get() != null) {
            collect();
        }
    }

    /** An endpoint that was forgotten is warned about, though its queue goes on. */
    @Test
    void receiversOfWhatWasTooLongDoNotStay() throws InterruptedException {
        ContextRegistry registry = new ContextRegistry(false);
        MemorySegment memory = entry(1);
        CompletionImpl completion = new CompletionImpl(registry, CompletionFormat.TAGGED, Quirks.of("sockets"), memory);
        WeakReference<Object> receiver = showTooLong(completion, registry, memory);
        while (receiver.get() != null) {
            collect();
        }
        Reference.reachabilityFence(completion);
    }

    private static WeakReference<Object> showTooLong(CompletionImpl completion, ContextRegistry registry,
            MemorySegment entry) {
        Object receiver = new Object();
        ContextSlab slab = new ContextSlab(registry, false).of(receiver);
        entry.set(ValueLayout.JAVA_LONG, 0, slab.acquire(1, null, ContextSlab.BOUNDED, 4));
        entry.set(ValueLayout.JAVA_LONG, fi_cq_tagged_entry.len$offset(), 5);
        completion.show(entry.address(), Address.NOT_AVAILABLE);
        assertThat(completion.handTo(new CompletionHandler() {
            @Override
            public void onCompletion(Completion done) {
                throw new AssertionError("too long");
            }

            @Override
            public void onError(CompletionError error) {
                assertThat(error.overflow()).isOne();
            }
        })).isOne();
        return new WeakReference<>(receiver);
    }

    private CompletionImpl queueOfOne() {
        MemorySegment memory = entry(1);
        entries = new WeakReference<>(memory.scope());
        first = memory.address();
        return new CompletionImpl(new ContextRegistry(false), CompletionFormat.TAGGED, Quirks.of("sockets"), memory);
    }

    private void showAside(CompletionImpl completion) {
        TakenAside.Report report = new TakenAside(entry(2), SIZE, null, 0, 1).show(completion);
        taken = new WeakReference<>(report.entry().scope());
        assertThat(completion.source()).isEqualTo(Address.NOT_AVAILABLE);
    }

    private static MemorySegment entry(long context) {
        MemorySegment entry = Arena.ofAuto().allocate(SIZE, Long.BYTES);
        entry.set(ValueLayout.JAVA_LONG, 0, RawContext.token(context));
        return entry;
    }

    private static void collect() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(10);
        }
    }
}
