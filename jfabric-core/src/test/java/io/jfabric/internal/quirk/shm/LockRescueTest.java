// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock that is always held when somebody looks, and dead processes that have nothing to do with it. */
@Timeout(60)
class LockRescueTest {
    private static final HexFormat HEX = HexFormat.of();

    @BeforeEach
    void locks() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(Quirks.of("shm").has(Quirk.LOCK_OUTLIVES_PROCESS), "mended");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the test writes the lock as it is on x86");
    }

    /** Has sent something to the endpoint of the argument, if there is one; may have a name. Waits to be killed. */
    static final class Acquaintance {
        private Acquaintance() {
        }

        public static void main(String[] args) throws Exception {
            int[] count = {0};
            try (Pair pair = Pair.open(Providers.SHM, hints -> { },
                    CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> {
                        if (args.length > 1) {
                            endpoint.setAddress(Address.of("fi_shm://" + args[1] + count[0]++));
                        }
                    })) {
                pair.connect();
                if (args.length > 0 && !args[0].isEmpty()) {
                    long peer = pair.a.addresses.insert(HEX.parseHex(args[0]));
                    pair.post(() -> pair.a.endpoint.messages().inject(Arena.global().allocate(8), peer));
                }
                System.out.println("AT " + HEX.formatHex(pair.a.endpoint.address().bytes()));
                Thread.sleep(60_000);
            }
        }
    }

    /** Opens and closes endpoints, and waits each time until the thread that watches them has ended. */
    static final class Passing {
        private Passing() {
        }

        public static void main(String[] args) {
            for (int i = 0; i < 2; i++) {
                try (Pair pair = Pair.open(Providers.SHM)) {
                    System.out.println(pair.a.endpoint + (isWatched() ? " is watched" : ""));
                }
                Waits.until("nobody watches", () -> !isWatched());
            }
        }

        private static boolean isWatched() {
            return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                    .anyMatch("jfabric-shm-locks"::equals);
        }
    }

    @Test
    void nobodyWatchesWhereThereIsNothing() {
        ChildJvm.Result result = ChildJvm.of(Passing.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(line -> line.endsWith(" is watched"))).hasSize(2);
    }

    /** For a moment there may be no memory for it. */
    @Test
    void itIsLookedAgainAfterAnError() {
        AtomicInteger looks = new AtomicInteger();
        try (Pair pair = Pair.open(Providers.SHM)) {
            LockRescue rescue = LockRescue.watch(file(pair.b.endpoint.address().bytes()).getFileName().toString(),
                    () -> {
                        looks.incrementAndGet();
                        throw new OutOfMemoryError("a test");
                    }, why -> { });
            Waits.until("it has looked again", () -> looks.get() > 1);
            rescue.end();
        }
    }

    private static Path file(byte[] address) {
        return Path.of("/dev/shm", new String(address, 0, address.length - 1,
                StandardCharsets.US_ASCII).replaceAll(".*://", ""));
    }

    /** The lock of a pair's second endpoint, in nobody's hands, and who watches it as if a thread waited for it. */
    private static final class Held implements AutoCloseable {
        private final MappedByteBuffer memory;
        private final SharedRegion region;
        private final LockRescue rescue;
        private final CompletableFuture<String> broken = new CompletableFuture<>();

        Held(Pair pair) throws IOException {
            Path file = file(pair.b.endpoint.address().bytes());
            region = SharedRegion.read(file);
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                memory = open.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            }
            memory.order(ByteOrder.nativeOrder());
            rescue = LockRescue.watch(file.getFileName().toString(), () -> true, broken::complete);
        }

        Held hold() {
            memory.putInt((int) region.layout().lock(), 0);
            return this;
        }

        @Override
        public void close() {
            memory.putInt((int) region.layout().lock(), 1);
            rescue.end();
        }
    }

    /** As told to who comes first: the endpoint's own watch looks as well. */
    private static String whyBroken(Pair pair, Held held) throws InterruptedException {
        while (!held.broken.isDone()) {
            try {
                pair.b.poll();
            } catch (FabricException e) {
                return e.getMessage();
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return held.broken.join();
    }

    /** Who copies one large message after the other is nearly always inside. */
    @Test
    @Tag("long")
    void lockOfWhoGoesOnIsNotTaken() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM);
             ChildJvm idle = ChildJvm.of(Acquaintance.class,
                     HEX.formatHex(pair.b.endpoint.address().bytes())).start()) {
            pair.until("it has sent", () -> idle.output().contains("AT "));
            try (Held held = new Held(pair).hold()) {
                assumeTrue(held.region.layout().hasLockedQueue(), "the lock is held for some instructions at a time");
                int count = (int) (held.region.layout().queueOffset() + AnswerQueue.END);
                idle.kill();
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2500);
                long before = held.memory.getLong(count);
                while (System.nanoTime() - end < 0) {
                    held.memory.putLong(count, held.memory.getLong(count) + 1);
                    TimeUnit.MILLISECONDS.sleep(5);
                }
                assertThat(held.broken).as("messages go on").isNotDone();
                held.memory.putLong(count, before);
                assertThat(held.broken.get(30, TimeUnit.SECONDS)).contains("process " + idle.pid() + " ");
            }
        }
    }

    /** One who is stopped may have it, though another has died. */
    @Test
    @Tag("long")
    void lockThatAStoppedProcessMayHaveIsNotTaken() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM)) {
            String address = HEX.formatHex(pair.b.endpoint.address().bytes());
            try (ChildJvm dies = ChildJvm.of(Acquaintance.class, address).start();
                 ChildJvm stands = ChildJvm.of(Acquaintance.class, address).start()) {
                pair.until("both have sent", () -> dies.output().contains("AT ") && stands.output().contains("AT "));
                signal(stands, "STOP");
                try (Held held = new Held(pair).hold()) {
                    dies.kill();
                    TimeUnit.MILLISECONDS.sleep(2500);
                    assertThat(held.broken).isNotDone();
                    signal(stands, "CONT");
                    assertThat(whyBroken(pair, held)).contains("process " + dies.pid() + " ");
                } finally {
                    signal(stands, "CONT");
                }
            }
        }
    }

    private static void signal(ChildJvm child, String signal) throws Exception {
        assertThat(new ProcessBuilder("sh", "-c", "kill -" + signal + " " + child.pid()).start().waitFor()).isZero();
    }

    /** Who has opened it learns of it, without anything under way. */
    @Test
    @Tag("long")
    void nodeEnds() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
             ChildJvm dies = ChildJvm.of(Acquaintance.class, HEX.formatHex(node.address().bytes())).start()) {
            dies.awaitLine(line -> line.startsWith("AT "));
            Path file = file(node.address().bytes());
            try (RandomAccessFile region = new RandomAccessFile(file.toFile(), "rw")) {
                region.seek(SharedRegion.read(file).layout().lock());
                region.writeInt(0);
            }
            dies.kill();
            // somebody must wait for the lock: a message that does not fit into the command
            node.send(node.allocate(1024), node.peer(node.address()), 1);
            assertThatThrownBy(() -> node.ended().get(30, TimeUnit.SECONDS)).cause()
                    .isInstanceOf(FabricException.class).hasMessageContaining("process " + dies.pid() + " ");
        }
    }

    /** Their numbers may be the same by chance: of each two endpoints that know each other they begin with 0. */
    @Test
    @Tag("long")
    void strangersAreNotSuspected() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM).connect();
             ChildJvm stranger = ChildJvm.of(Acquaintance.class).start()) {
            stranger.awaitLine(line -> line.startsWith("AT "));
            try (Held held = new Held(pair).hold()) {
                stranger.kill();
                // nobody has it
                assertThat(whyBroken(pair, held)).contains("whose file is removed");
            }
        }
    }

    /** By one who has deleted it, or who has taken its name. */
    @Test
    @Tag("long")
    void theFileOfTheDeadMayBeRemoved() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM)) {
            String address = HEX.formatHex(pair.b.endpoint.address().bytes());
            try (ChildJvm dies = ChildJvm.of(Acquaintance.class, address).start();
                 ChildJvm stands = ChildJvm.of(Acquaintance.class, address).start()) {
                pair.until("both have sent", () -> dies.output().contains("AT ") && stands.output().contains("AT "));
                signal(stands, "STOP");
                dies.kill();
                String at = dies.output().lines().filter(line -> line.startsWith("AT ")).findFirst().orElseThrow();
                Files.delete(file(HEX.parseHex(at.substring(3))));
                try (Held held = new Held(pair).hold()) {
                    TimeUnit.MILLISECONDS.sleep(2500);
                    assertThat(held.broken).as("who is stopped may have it").isNotDone();
                    signal(stands, "CONT");
                    assertThat(whyBroken(pair, held)).contains("whose file is removed");
                } finally {
                    signal(stands, "CONT");
                }
            }
        }
    }

    /** Peers have fixed names: a process is started again where one had been dead when the endpoint began. */
    @Test
    @Tag("long")
    void whoHasTheNameOfTheDeadIsSuspected() throws Exception {
        String name = "jfabric-again" + ProcessHandle.current().pid() + "-";
        try (ChildJvm dead = ChildJvm.of(Acquaintance.class, "", name).start()) {
            dead.awaitLine(line -> line.startsWith("AT "));
            dead.kill();
            try (Pair pair = Pair.open(Providers.SHM); Held held = new Held(pair);
                 ChildJvm again = ChildJvm.of(Acquaintance.class,
                         HEX.formatHex(pair.b.endpoint.address().bytes()), name).start()) {
                pair.until("it has sent", () -> again.output().contains("AT "));
                again.kill();
                held.hold();
                assertThat(whyBroken(pair, held)).contains("process " + again.pid() + " ");
            }
        } finally {
            for (int i = 0; i < 2; i++) {
                Files.deleteIfExists(Path.of("/dev/shm", name + i));
            }
        }
    }
}
