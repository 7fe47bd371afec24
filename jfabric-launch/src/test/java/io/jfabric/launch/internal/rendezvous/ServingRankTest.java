// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jfabric.launch.Job;
import io.jfabric.launch.JobException;
import io.jfabric.launch.LostRank;
import io.jfabric.launch.Worker;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.FreePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of rank 0 where it serves: a process, at which ranks of this JVM are. */
@Timeout(90)
class ServingRankTest {
    /** More than what sockets buffer, 10 MiB as a rule; read within two seconds also on a busy machine. */
    private static final int VALUES = 16;
    private static final int VALUE = 1 << 20;
    private final int port = FreePort.choose();
    private ChildJvm zero;

    @AfterEach
    void close() {
        if (zero != null) {
            zero.close();
        }
    }

    private void start(int size, String... args) {
        zero = ChildJvm.of(Worker.class, args).environment(Target.RENDEZVOUS, "127.0.0.1:" + port)
                .environment(Target.SIZE, Integer.toString(size)).environment(Target.RANK, "0")
                .environment(Target.SECRET, Meet.SECRET).start();
    }

    /** What happens to the job while rank 1 does not read. */
    private interface Event {
        void happen(Line two) throws Exception;
    }

    /** Rank 1 has much to read before the last frame, which rank 0 must not take along when it ends. */
    private Frame lastFrame(Event event, String logged, int exitCode, String... args) throws Exception {
        start(3, args);
        try (Meet meet = new Meet(3, port)) {
            CompletableFuture<Line> second = CompletableFuture.supplyAsync(() -> joined(meet, 2));
            try (Line one = meet.joined(1); Line two = second.get(30, TimeUnit.SECONDS)) {
                commit(one, "long", VALUE);
                for (int i = 0; i < VALUES; i++) {
                    get(one, 1, "long");
                }
                commit(one, "asked", 1);
                get(two, 1, "asked");
                read(two).expect(Frame.RESULT);
                event.happen(two);
                zero.awaitLine(line -> line.contains(logged));
                // enough for a process that does not wait to end
                Thread.sleep(200);
                for (int i = 0; i < VALUES; i++) {
                    read(one).expect(Frame.RESULT);
                }
                Frame last = read(one);
                assertThat(zero.await().exitCode()).isEqualTo(exitCode);
                return last;
            }
        }
    }

    private static Line joined(Meet meet, int rank) {
        try {
            return meet.joined(rank);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void commit(Line line, String key, int length) {
        line.send(Frame.of(Frame.COMMIT, out -> {
            out.writeInt(1);
            out.writeUTF(key);
            Frame.writeBytes(out, new byte[length]);
        }));
    }

    private static void get(Line line, int rank, String key) {
        line.send(Frame.of(Frame.GET, out -> {
            out.writeInt(0);
            out.writeLong(30_000);
            out.writeInt(rank);
            out.writeUTF(key);
        }));
    }

    /** The next that says something. */
    private static Frame read(Line line) throws Exception {
        while (true) {
            Frame frame = Frame.read(line.in, Frame.SERVER_LIMIT);
            if (frame.type() != Frame.PING) {
                return frame;
            }
        }
    }

    private static void abort(Line line) {
        line.send(Frame.of(Frame.ABORT, out -> {
            out.writeInt(42);
            out.writeUTF("it has had enough");
        }));
    }

    @Test
    void abortOfAnotherReachesAll() throws Exception {
        Frame last = lastFrame(ServingRankTest::abort, "rank 2 on ", 42, "wait", "report");
        assertThat(last.expect(Frame.ABORT).<String>parse(in -> in.readInt() + " " + in.readUTF()))
                .startsWith("42 rank 2 on ").endsWith("has aborted the job: it has had enough");
    }

    @Test
    void itsOwnAbortReachesAll() throws Exception {
        Frame last = lastFrame(two -> zero.tell("x"), "aborts the job", 42, "abort when told", "report");
        assertThat(last.expect(Frame.ABORT).<String>parse(in -> in.readInt() + " " + in.readUTF()))
                .startsWith("42 rank 0 on ").endsWith("has aborted the job: it has had enough");
    }

    /** Later than it waits for, and well. */
    @Test
    @Tag("long")
    void othersGoOnWhenItHasLeft() throws Exception {
        try (Meet meet = new Meet(2, port)) {
            Future<String> one = meet.one(1, Duration.ofSeconds(30), Map.of(Target.SERVER, ""), job -> {
                assertThat(zero.await().exitCode()).isZero();
                List<String> said = new ArrayList<>();
                for (Runnable each : List.<Runnable>of(job::barrier, () -> job.get(0, "never"), job::commit)) {
                    JobException failure = catchThrowableOfType(JobException.class, each::run);
                    assertThat(failure.lost()).isEmpty();
                    said.add(failure.getMessage());
                }
                assertThat(said).allMatch(text -> text.contains("rank 0 on " + job.host(0) + ", which served the "
                        + "rendezvous, has closed its job"));
                assertThat(job.lost()).isEmpty();
                return "goes on";
            });
            // it has a deadline of its own, which is shorter
            start(2, "leave", "end", "6");
            assertThat(Meet.result(one)).isEqualTo("goes on");
        }
    }

    @Test
    void interruptedItStillWaitsForTheOthers() throws Exception {
        try (Meet meet = new Meet(2, port)) {
            CountDownLatch asks = new CountDownLatch(1);
            CountDownLatch leaves = new CountDownLatch(1);
            CompletableFuture<List<LostRank>> lost = new CompletableFuture<>();
            Future<String> one = meet.one(1, Duration.ofSeconds(30), Map.of(Target.SERVER, ""), job -> {
                asks.await();
                job.put("key", new byte[1]);
                job.commit();
                job.get(1, "key");
                lost.complete(job.lost());
                leaves.await();
                return "left";
            });
            CompletableFuture<Thread> closes = new CompletableFuture<>();
            Future<Boolean> zero = meet.one(0, Duration.ofSeconds(30), Map.of(Target.SERVER, ""), job -> {
                closes.complete(Thread.currentThread());
                job.close();
                return Thread.currentThread().isInterrupted();
            });
            Thread closing = closes.get(30, TimeUnit.SECONDS);
            Thread.sleep(500);
            closing.interrupt();
            // enough for a service that ends
            Thread.sleep(300);
            assertThat(zero.isDone()).as("waits no longer").isFalse();
            asks.countDown();
            assertThat(lost.get(20, TimeUnit.SECONDS)).isEmpty();
            leaves.countDown();
            assertThat(Meet.result(one)).isEqualTo("left");
            assertThat(Meet.result(zero)).as("interrupted afterwards").isTrue();
        }
    }

    /** Else the others would take the lost one for rank 0. */
    @Test
    void whoIsLostIsToldToAll() throws Exception {
        Frame last = lastFrame(Line::close, "the job ends, as it has lost rank 2", Job.EXIT_LOST, "wait", "end");
        LostRank lost = last.expect(Frame.LOST).parse(LostText::read);
        assertThat(lost.rank()).isEqualTo(2);
    }
}
