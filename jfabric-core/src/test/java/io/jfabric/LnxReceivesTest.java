// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Version;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.wait.WaitSet;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lnx does with receives, and with peers that nothing leads to; each in a process of its own, as it crashes. */
@Timeout(120)
class LnxReceivesTest {
    private static final String SHM = "shm";
    private static final String BOTH = "shm+tcp:lo";
    /** Peers of this host are reached over tcp, too. */
    private static final String WITHOUT_SHM = "FI_LNX_DISABLE_SHM";
    private static final Version WAITS = new Version(2, 4);
    private static final String READY = "ready";
    private static final String DONE = "done";

    /** An endpoint and what belongs to it. */
    private static final class Opened implements AutoCloseable {
        private static final Duration PATIENCE = Duration.ofSeconds(10);

        private final FabricInfoList list = LnxTest.find();
        private final Fabric fabric = Fabric.open(list.first());
        private final Domain domain = fabric.openDomain(list.first());
        private final CompletionQueue queue;
        private final AddressVector addresses = domain.openAddressVector();
        private final Endpoint endpoint;
        private final TaggedMessages tagged;
        private CompletionError error;

        /** Null where the queue is in none. */
        @SuppressWarnings("deprecation")
        private final WaitSet set;

        Opened() {
            this(WaitObject.NONE, false);
        }

        @SuppressWarnings("deprecation")
        Opened(WaitObject waits, boolean inSet) {
            CompletionQueueAttributes attributes = CompletionQueueAttributes.of(CompletionFormat.TAGGED);
            set = inSet ? WaitSet.open(fabric, waits) : null;
            queue = inSet ? set.openCompletionQueue(domain, attributes)
                    : domain.openCompletionQueue(attributes.withWaitObject(waits));
            endpoint = LnxTest.open(domain, list.first(), addresses, queue);
            tagged = endpoint.tagged();
        }

        /** Posts it until it is taken, then waits until it is reported. */
        private boolean ends(BooleanSupplier post) {
            boolean[] done = new boolean[1];
            error = null;
            CompletionHandler handler = new CompletionHandler() {
                @Override
                public void onCompletion(Completion completion) {
                    done[0] = true;
                }

                @Override
                public void onError(CompletionError failed) {
                    error = failed;
                    done[0] = true;
                }
            };
            until(post, () -> queue.poll(handler, 1));
            until(() -> done[0], () -> queue.poll(handler, 1));
            return error == null;
        }

        private static void until(BooleanSupplier condition, Runnable drive) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                drive.run();
                if (System.nanoTime() > end) {
                    throw new AssertionError("has not ended");
                }
            }
        }

        @Override
        public void close() {
            fabric.close();
            list.close();
        }
    }

    private static ChildJvm.Builder child(Class<?> main, boolean overShm, String... arguments) {
        return ChildJvm.of(main, arguments).environment("FI_LNX_PROV_LINKS", BOTH)
                .environment(WITHOUT_SHM, overShm ? "0" : "1");
    }

    private static void passes(ChildJvm.Builder child) {
        LnxTest.assumeLnx(true);
        ChildJvm.Result result = child.run();
        assertThat(result.output()).contains(DONE);
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsCancelled(boolean overShm) {
        passes(child(Cancelling.class, overShm));
    }

    static final class Cancelling {
        private Cancelling() {
        }

        public static void main(String[] args) {
            try (Opened it = new Opened()) {
                assertThat(it.tagged.receive(it.domain.openArena().allocate(8), Address.ANY, 1, 0, 7)).isTrue();
                assertThatThrownBy(() -> it.endpoint.cancel(7)).isInstanceOfSatisfying(FabricException.class,
                        refused -> assertThat(refused.error()).isEqualTo(FabricError.ENOSYS));
                assertThat(it.endpoint.cancel(8)).isFalse();
            }
            System.out.println(DONE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThreadPostsReceivesWhileAnotherPolls(boolean overShm) {
        passes(child(Racing.class, overShm));
    }

    /** Waiting in the provider polls there. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThreadPostsReceivesWhileAnotherWaits(boolean overShm) {
        assumeWaits();
        passes(child(Racing.class, overShm, "YIELD", "queue"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThreadPostsReceivesWhileAnotherWaitsForASet(boolean overShm) {
        assumeWaits();
        passes(child(Racing.class, overShm, "FD", "set"));
    }

    private static void assumeWaits() {
        assumeTrue(Fabric.version().atLeast(WAITS), "nothing waits in it");
    }

    /** Sends to itself. The other thread waits in the way that is named, for the queue or a set; or polls. */
    static final class Racing {
        private static final long LONGEST = 4_000_000_000L;
        private static final int AT_A_TIME = 16;

        private Racing() {
        }

        public static void main(String[] args) throws InterruptedException {
            AtomicLong arrived = new AtomicLong();
            AtomicLong over = new AtomicLong();
            boolean waits = args.length > 0;
            boolean inSet = waits && args[1].equals("set");
            try (Opened it = new Opened(waits ? WaitObject.valueOf(args[0]) : WaitObject.NONE, inSet)) {
                MemorySegment memory = it.domain.openArena().allocate(8, 8);
                long self = it.addresses.insert(it.endpoint.address());
                CompletionHandler counts = completion -> arrived.incrementAndGet();
                Thread poller = Thread.ofPlatform().daemon().start(() -> {
                    while (over.get() == 0) {
                        if (inSet) {
                            it.set.await(Duration.ofNanos(1));
                            it.queue.poll(counts, AT_A_TIME);
                        } else if (waits) {
                            it.queue.await(counts, AT_A_TIME, Duration.ofNanos(1));
                        } else {
                            it.queue.poll(counts, AT_A_TIME);
                        }
                    }
                });
                long start = System.nanoTime();
                for (long sent = 0; System.nanoTime() - start < LONGEST;) {
                    for (int i = 0; i < AT_A_TIME; i++) {
                        long number = ++sent;
                        Opened.until(() -> it.tagged.inject(memory, self, number), Thread::onSpinWait);
                        Opened.until(() -> it.tagged.receive(memory, Address.ANY, number, 0, number),
                                Thread::onSpinWait);
                    }
                    long all = sent;
                    Opened.until(() -> arrived.get() == all, Thread::onSpinWait);
                }
                over.set(1);
                poller.join();
            }
            System.out.println(DONE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageThatIsTooLongIsAnError(boolean overShm) {
        LnxTest.assumeLnx(true);
        try (ChildJvm sends = child(TooLong.class, overShm, "sends").start();
                ChildJvm receives = child(TooLong.class, overShm, "receives").start()) {
            sends.tell(ChildAddress.text(receives));
            receives.tell(ChildAddress.text(sends));
            for (int i = 0; i < 2 * TooLong.SIZES.length; i++) {
                int number = i;
                receives.awaitLine(line -> line.equals(READY + number));
                sends.tell(String.valueOf(i));
            }
            receives.awaitLine(line -> line.equals(DONE));
        }
    }

    /** What is sent, and for how much there is room: posted early, and once the message is there. */
    static final class TooLong {
        private static final int[][] SIZES = {{10, 5}, {1000, 100}, {100_000, 100}, {100_000, 5000}, {5000, 5000}};

        private TooLong() {
        }

        public static void main(String[] args) {
            try (Opened it = new Opened(); Scanner in = new Scanner(System.in)) {
                ChildAddress.print(it.endpoint.address().bytes());
                long peer = it.addresses.insert(HexFormat.of().parseHex(in.nextLine()));
                MemorySegment memory = it.domain.openArena().allocate(100_000);
                for (int i = 0; i < 2 * SIZES.length; i++) {
                    int tag = i;
                    int[] sizes = SIZES[i / 2];
                    if (args[0].equals("sends")) {
                        in.nextLine();
                        assertThat(it.ends(() -> it.tagged.send(memory.asSlice(0, sizes[0]), peer, tag, 1))).isTrue();
                    } else {
                        receive(it, memory.asSlice(0, sizes[1]), tag, sizes[0]);
                    }
                }
            }
            System.out.println(DONE);
        }

        private static void receive(Opened it, MemorySegment memory, int tag, int length) {
            boolean late = tag % 2 == 1;
            if (late) {
                System.out.println(READY + tag);
                Opened.until(() -> it.ends(() -> it.tagged.peek(Address.ANY, tag, 0, 1)), () -> { });
            }
            boolean good = it.ends(() -> {
                boolean posted = it.tagged.receive(memory, Address.ANY, tag, 0, 1);
                if (posted && !late) {
                    System.out.println(READY + tag);
                }
                return posted;
            });
            assertThat(good).as("%s of %s bytes", memory.byteSize(), length).isEqualTo(memory.byteSize() == length);
            if (!good) {
                assertThat(it.error.error()).isEqualTo(FabricError.ETRUNC);
            }
        }
    }

    @Test
    void thereMustBeAWayToAPeer() {
        passes(child(Unreachable.class, true));
        passes(ChildJvm.of(Unreachable.class).environment("FI_LNX_PROV_LINKS", SHM));
        passes(ChildJvm.of(Unreachable.class).environment("FI_LNX_PROV_LINKS", SHM).environment(WITHOUT_SHM, "yes"));
    }

    static final class Unreachable {
        private static final int COUNT = 64;
        private static final int HEAD = 72;

        private Unreachable() {
        }

        public static void main(String[] args) {
            try (Opened it = new Opened()) {
                byte[] own = it.endpoint.address().bytes();
                MemorySegment memory = it.domain.openArena().allocate(8);
                byte[] elsewhere = changed(own, 0, "elsewhere");
                byte[] other = changed(own, HEAD, "other");
                if (own[COUNT] == 1) {
                    refuses(it, other, memory);
                    refuses(it, elsewhere, memory);
                    if (System.getenv(WITHOUT_SHM) != null) {
                        refuses(it, own, memory);
                    } else {
                        reaches(it, own, memory);
                    }
                } else {
                    // over tcp, as who has no shm, or is on another host
                    reaches(it, other, memory);
                    reaches(it, elsewhere, memory);
                }
            }
            System.out.println(DONE);
        }

        private static void reaches(Opened it, byte[] address, MemorySegment memory) {
            long self = it.addresses.insert(address);
            Opened.until(() -> it.tagged.inject(memory, self, 1), () -> it.queue.poll(completion -> { }, 1));
            assertThat(it.ends(() -> it.tagged.receive(memory, Address.ANY, 1, 0, 1))).isTrue();
        }

        private static byte[] changed(byte[] own, int at, String text) {
            byte[] bytes = own.clone();
            byte[] name = text.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(name, 0, bytes, at, name.length);
            bytes[at + name.length] = 0;
            return bytes;
        }

        /** It would not come back from sending. */
        private static void refuses(Opened it, byte[] address, MemorySegment memory) {
            assertThatThrownBy(() -> it.tagged.send(memory, it.addresses.insert(address), 1, 1))
                    .isExactlyInstanceOf(IllegalArgumentException.class).hasMessageContaining("FI_LNX_PROV_LINKS");
            // among others it is an answer: theirs must not be lost
            Address there = Address.ofCode(it.endpoint.address().formatCode(), address);
            assertThat(it.addresses.insert(List.of(there)).getFirst().error()).contains(FabricError.EHOSTDOWN);
        }
    }
}
