// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.RemoteRegion;
import io.jfabric.info.Hints;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link BufferPool#use} with a peer that stops, goes on and dies: late answers come into nobody else's buffer. */
@Timeout(60)
class BufferUsePeersTest {
    private static final int BUFFERS = 4;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private static Boolean isFullOf(MemorySegment buffer, int number) {
        boolean right = true;
        for (int i = 0; i < RegionChild.SIZE / 4; i++) {
            right &= buffer.getAtIndex(ValueLayout.JAVA_INT, i) == number;
        }
        return right;
    }

    /** Where the peer's thread has to answer, four reads are late, and keep the buffers. */
    @ParameterizedTest
    @MethodSource("providers")
    void losesNothing(Providers.Choice choice) throws Exception {
        BufferPool pool;
        try (ChildJvm child = ChildJvm.of(RegionChild.class, choice.provider()).start();
             Hints hints = Hints.rdm().provider(choice.provider());
             Node node = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Duration.ofSeconds(10)))) {
            String[] words = child.awaitLine(line -> line.startsWith("at ")).split(" ");
            Peer peer = node.peer(HexFormat.of().parseHex(words[1]));
            RemoteRegion region = RemoteRegion.of(HexFormat.of().parseHex(words[2]));
            pool = BufferPool.open(node.domain(), RegionChild.SIZE, BUFFERS);
            assertThat(read(pool, node, peer, region, 1).get(30, TimeUnit.SECONDS)).isTrue();
            if (choice == Providers.RXM) {
                child.stop();
                awaitStop(child.pid());
                List<CompletableFuture<Boolean>> late = new ArrayList<>();
                for (int i = 0; i < BUFFERS; i++) {
                    late.add(read(pool, node.within(Duration.ofMillis(200)), peer, region, i));
                }
                CompletableFuture<Boolean> next = read(pool, node, peer, region, 50);
                for (CompletableFuture<Boolean> one : late) {
                    assertThatThrownBy(() -> one.get(30, TimeUnit.SECONDS)).hasMessageContaining("ETIMEDOUT");
                }
                assertThat(pool.taken()).isEqualTo(BUFFERS);
                assertThat(next).isNotDone();
                child.resume();
                assertThat(next.get(30, TimeUnit.SECONDS)).isTrue();
            }
            List<CompletableFuture<Boolean>> right = readAll(pool, node, peer, region);
            for (CompletableFuture<Boolean> one : right) {
                assertThat(one.get(30, TimeUnit.SECONDS)).isTrue();
            }
            child.kill();
            List<CompletableFuture<Boolean>> dead = readAll(pool, node, peer, region);
            for (CompletableFuture<Boolean> one : dead) {
                one.orTimeout(300, TimeUnit.MILLISECONDS);
            }
            for (CompletableFuture<Boolean> one : dead) {
                assertThatThrownBy(() -> one.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
            }
            peer.close();
            if (choice == Providers.RXM) {
                awaitAllBack(pool);
            }
        }
        // shm may keep what it was to read until the node is closed
        awaitAllBack(pool);
        assertThat(pool.isOpen()).isFalse();
    }

    private static void awaitAllBack(BufferPool pool) {
        Waits.until("all buffers are back", () -> pool.taken() == 0);
    }

    /** The signal comes to each thread by itself. */
    private static void awaitStop(long pid) {
        Waits.until("all threads have stopped", () -> {
            try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
                return threads.allMatch(thread -> stat(thread).contains(") T "));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException ended) {
            return ") T ";
        }
    }

    private static List<CompletableFuture<Boolean>> readAll(BufferPool pool, Operations node, Peer peer,
            RemoteRegion region) {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < RegionChild.PIECES; i++) {
            all.add(read(pool, node, peer, region, i));
        }
        return all;
    }

    private static CompletableFuture<Boolean> read(BufferPool pool, Operations node, Peer peer, RemoteRegion region,
            int piece) {
        return pool.use(buffer -> node.read(buffer, peer, region, (long) piece * RegionChild.SIZE),
                (buffer, done) -> isFullOf(buffer, piece));
    }
}
