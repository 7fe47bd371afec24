// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.library.Signals;
import io.jfabric.testing.CopyLoader;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two copies of jfabric in one process, each in a class loader of its own, as two applications of one server. */
@Timeout(90)
class TwoCopiesTest {
    /** Crashed when one was closed and the other sent to it. */
    @ParameterizedTest
    @ValueSource(strings = {"met", "expected"})
    void doNotTalkOverShm(String scenario) {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        ChildJvm.Result result = SharedJvm.run(Shm.class, scenario);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** The second took for the JVM's handler what a provider had set meanwhile for the first. */
    @Test
    void keepSignalHandlersTogether() {
        ChildJvm.Result result = SharedJvm.run(Handlers.class);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** A thread, a hook, or a listener of its own kept each copy, and all copies of an application deployed anew. */
    @Test
    void isUnloadedWhenAllIsClosed() {
        // what the JDK caches as long as there is memory is no leak
        ChildJvm.Result result = ChildJvm.of(Unloading.class).flags("-XX:SoftRefLRUPolicyMSPerMB=0").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** What the process does to load a copy for a while. */
    static final class Unloading {
        private Unloading() {
        }

        public static void main(String[] args) throws Exception {
            CompletableFuture<WeakReference<ClassLoader>> used = new CompletableFuture<>();
            // what a thread keeps for itself ends with it
            Thread user = Thread.ofPlatform().start(() -> used.complete(use()));
            WeakReference<ClassLoader> copy = used.get(30, TimeUnit.SECONDS);
            user.join();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (copy.get() != null && System.nanoTime() < end) {
                System.gc();
                Thread.sleep(100);
            }
            assertThat(copy.get()).isNull();
        }

        private static WeakReference<ClassLoader> use() {
            try (CopyLoader copy = new CopyLoader()) {
                // as servers do; the threads that are started from here keep it
                Thread.currentThread().setContextClassLoader(copy);
                for (String provider : List.of("tcp;ofi_rxm", "shm")) {
                    copy.call(Copy.class, "use", provider);
                }
                return new WeakReference<>(copy);
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                Thread.currentThread().setContextClassLoader(null);
            }
        }
    }

    /** What each copy does; run by its own class of this name. */
    static final class Copy {
        private static Node node;

        private Copy() {
        }

        static byte[] open(String name) {
            try (Hints hints = Hints.rdm().provider("shm")) {
                node = Node.open(name == null ? hints : hints.sourceAddress(Address.of(name)));
            }
            return node.address().bytes();
        }

        static void insert(byte[] address) {
            node.peer(address);
        }

        static void close() {
            node.close();
        }

        static void use(String provider) throws Exception {
            try (Hints hints = Hints.rdm().provider(provider)) {
                Node.open(hints).close();
            }
            Ticks.once(1, () -> { }).get();
        }

        static void keepSignals(Runnable meanwhile) {
            Signals.keep(() -> {
                meanwhile.run();
                return null;
            });
        }
    }

    /** What the process does with signals. */
    static final class Handlers {
        private static final int SIGTRAP = 5;
        private static final long IGNORE = 1;

        private Handlers() {
        }

        public static void main(String[] args) throws Exception {
            try (CopyLoader one = new CopyLoader(); CopyLoader other = new CopyLoader();
                    Arena arena = Arena.ofShared()) {
                MemorySegment before = handler(arena);
                MemorySegment taken = arena.allocate(256, 8).copyFrom(before);
                taken.set(ValueLayout.JAVA_LONG, 0, IGNORE);
                CountDownLatch entered = new CountDownLatch(1);
                CountDownLatch left = new CountDownLatch(1);
                Thread thread = Thread.ofPlatform().unstarted(() -> keep(other, () -> {
                    entered.countDown();
                    await(left);
                }));
                keep(one, () -> {
                    LibC.sigaction(SIGTRAP, taken.address(), 0);
                    thread.start();
                    await(entered);
                });
                left.countDown();
                thread.join();
                assertThat(handler(arena).get(ValueLayout.JAVA_LONG, 0))
                        .isEqualTo(before.get(ValueLayout.JAVA_LONG, 0));
            }
        }

        private static MemorySegment handler(Arena arena) {
            MemorySegment now = arena.allocate(256, 8);
            LibC.sigaction(SIGTRAP, 0, now.address());
            return now;
        }

        private static void keep(CopyLoader copy, Runnable meanwhile) {
            try {
                copy.call(Copy.class, "keepSignals", meanwhile);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** What the process does. */
    static final class Shm {
        private Shm() {
        }

        public static void main(String[] args) throws Exception {
            try (CopyLoader one = new CopyLoader(); CopyLoader other = new CopyLoader()) {
                if (args[0].equals("met")) {
                    met(one, other);
                } else {
                    expected(one, other);
                }
            }
        }

        private static void met(CopyLoader one, CopyLoader other) throws Exception {
            Object a = one.call(Copy.class, "open", (Object) null);
            Object b = other.call(Copy.class, "open", (Object) null);
            one.call(Copy.class, "insert", a);
            refused(one, b);
            refused(other, a);
            other.call(Copy.class, "close");
            // the name is free again
            assertThat(System.getProperties().stringPropertyNames()).filteredOn(name -> name.startsWith("jfabric.shm"))
                    .hasSize(1);
            one.call(Copy.class, "close");
            assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.startsWith("jfabric.shm"));
        }

        private static void refused(CopyLoader copy, Object address) {
            assertThatIllegalStateException().isThrownBy(() -> copy.call(Copy.class, "insert", address))
                    .withMessageContaining("another copy of jfabric");
        }

        private static void expected(CopyLoader one, CopyLoader other) throws Exception {
            String later = "fi_ns://jfabric-later-" + ProcessHandle.current().pid();
            one.call(Copy.class, "open", (Object) null);
            try {
                one.call(Copy.class, "insert", Address.of(later).bytes());
            } catch (IllegalStateException e) {
                throw e;
            } catch (RuntimeException absent) {
                // before 2.0 only what is there can be inserted
                one.call(Copy.class, "close");
                return;
            }
            assertThatIllegalStateException().isThrownBy(() -> other.call(Copy.class, "open", later))
                    .withMessageContaining("another copy of jfabric");
            one.call(Copy.class, "close");
            other.call(Copy.class, "open", later);
            other.call(Copy.class, "close");
            assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.startsWith("jfabric.shm"));
        }
    }
}
