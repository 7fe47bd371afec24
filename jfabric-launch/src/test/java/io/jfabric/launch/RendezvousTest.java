// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.launch.internal.rendezvous.Meet;
import io.jfabric.launch.internal.rendezvous.ServerProcess;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.FreePort;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RendezvousTest {
    @Test
    void ranksFindEachOther() throws Exception {
        try (Meet meet = new Meet(3)) {
            List<Future<String>> ranks = meet.all(job -> {
                job.put("mine", new byte[] {(byte) job.rank()});
                job.commit();
                job.fence();
                byte[] next = job.get((job.rank() + 1) % 3, "mine");
                List<byte[]> all = job.exchange(new byte[job.rank()]);
                job.barrier();
                return job.rank() + " of " + job.size() + ", local " + job.localRank() + " of " + job.localSize() + ", "
                        + next[0] + ", " + all.stream().map(a -> a.length).toList() + ", " + job.way();
            });
            for (int rank = 0; rank < 3; rank++) {
                assertThat(Meet.result(ranks.get(rank))).isEqualTo(rank + " of 3, local " + rank + " of 3, "
                        + (rank + 1) % 3 + ", [0, 1, 2], RENDEZVOUS");
            }
        }
    }

    @Test
    void serverChoosesRanks() throws Exception {
        try (Meet meet = new Meet(4)) {
            List<Integer> ranks = new ArrayList<>();
            for (Future<Integer> rank : meet.unnumbered(Job::rank)) {
                ranks.add(Meet.result(rank));
            }
            assertThat(ranks).containsExactlyInAnyOrder(0, 1, 2, 3);
        }
    }

    /** It is not taken for the server, which has no rank either. */
    @Test
    void processThatIsLostBeforeItHasARankIsNamedByItsHost() throws Exception {
        try (Meet meet = new Meet(3)) {
            Future<Integer> zero = meet.one(0, Duration.ofSeconds(20), Job::rank);
            try (Closeable _ = meet.waiting()) {
                meet.awaitMembers(2);
            }
            assertThatThrownBy(() -> Meet.result(zero)).isInstanceOfSatisfying(JobException.class, failure -> {
                assertThat(failure).hasMessageContaining("join: a process on ").hasMessageContaining("(pid ");
                assertThat(failure.lost()).isEmpty();
            });
        }
    }

    @Test
    void missingRankIsNamed() throws Exception {
        try (Meet meet = new Meet(3)) {
            Future<Integer> zero = meet.one(0, Duration.ofSeconds(2), Job::rank);
            Future<Integer> two = meet.one(2, Duration.ofSeconds(2), Job::rank);
            for (Future<Integer> each : List.of(zero, two)) {
                assertThatThrownBy(() -> Meet.result(each)).isInstanceOf(JobException.class)
                        .hasMessageContaining("rank 1 of 3 not there within 2 s").hasMessageContaining("here: rank ");
            }
            // and one that comes too late is told why
            assertThatThrownBy(() -> Meet.result(meet.one(1, Duration.ofSeconds(2), Job::rank)))
                    .hasMessageContaining("rank 1 on").hasMessageContaining("comes too late");
        }
    }

    @Test
    void wrongSecretIsRefusedAndToldToTheOthers() throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<Integer> zero = meet.one(0, Duration.ofSeconds(5), Job::rank);
            JobOptions wrong = meet.options(1, Duration.ofSeconds(5), "another");
            assertThatThrownBy(() -> Job.join(wrong)).isInstanceOf(JobException.class)
                    .hasMessageContaining("rank 1 on").hasMessageContaining("another secret");
            assertThatThrownBy(() -> Meet.result(zero)).hasMessageContaining("rank 1 of 2 not there")
                    .hasMessageContaining("refused: a process at 127.0.0.1 has another secret");
        }
    }

    @Test
    void saysHowAJobIsStarted() {
        JobOptions options = JobOptions.DEFAULT.withEnvironment(Map.of("JFABRIC_LAUNCH", "rendezvous"));
        assertThatThrownBy(() -> Job.join(options)).isInstanceOf(JobException.class)
                .hasMessageContaining("tried [RENDEZVOUS]").hasMessageContaining("io.jfabric.launch.Launcher")
                .hasMessageContaining("set JFABRIC_RENDEZVOUS, JFABRIC_SIZE and JFABRIC_RANK");
    }

    @Test
    void wayThatThereIsNotIsNamedWithItsVariable() {
        JobOptions options = JobOptions.DEFAULT.withEnvironment(Map.of("JFABRIC_LAUNCH", "slurm"));
        assertThatThrownBy(() -> Job.join(options)).isInstanceOf(JobException.class)
                .hasMessage("join: JFABRIC_LAUNCH=slurm: way: there is no \"slurm\"; there are [pmix, pmi2, pmi1, "
                        + "rendezvous, alone]");
    }

    /** All of them would wait for rank 0, which nobody is. */
    @Test
    void processesWithoutRanksAreToldWhoMustServe() throws Exception {
        int port = FreePort.choose();
        Map<String, String> environment = new HashMap<>(Map.of("JFABRIC_RENDEZVOUS", "127.0.0.1:" + port,
                "JFABRIC_SIZE", "2"));
        JobOptions options = JobOptions.DEFAULT.withDeadline(Duration.ofMillis(300));
        assertThatThrownBy(() -> Job.join(options.withEnvironment(environment))).isInstanceOf(JobException.class)
                .hasMessageContaining("does rank 0 run").hasMessageContaining("one process must have JFABRIC_RANK=0")
                .hasMessageContaining("set JFABRIC_RENDEZVOUS_SERVER=apart");
        environment.put("JFABRIC_RANK", "1");
        assertThatThrownBy(() -> Job.join(options.withEnvironment(environment))).isInstanceOf(JobException.class)
                .hasMessageContaining("does rank 0 run").hasMessageNotContaining("must have");
    }

    @Test
    void duplicatesAndOtherSizesAreRefused() throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<Integer> zero = meet.one(0, Duration.ofSeconds(20), Job::rank);
            meet.awaitMembers(1);
            assertThatThrownBy(() -> Meet.result(meet.one(0, Duration.ofSeconds(5), Job::rank)))
                    .hasMessageContaining("rank 0 on").hasMessageContaining("is there twice");
            JobOptions other = meet.options(1, Duration.ofSeconds(5), Meet.SECRET, 5);
            assertThatThrownBy(() -> Job.join(other)).hasMessageContaining("the job has 5 ranks, but it has 2");
            assertThat(Meet.result(meet.one(1, Duration.ofSeconds(20), Job::rank))).isEqualTo(1);
            assertThat(Meet.result(zero)).isZero();
        }
    }

    @Test
    void hostileBytesDoNotDisturb() throws Exception {
        try (Meet meet = new Meet(2)) {
            List<Socket> strangers = new ArrayList<>();
            Random random = new Random(7);
            byte[] noise = new byte[10_000];
            random.nextBytes(noise);
            for (byte[] bytes : List.of("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8), noise,
                    new byte[] {'J', 'F', 'R', '1', 0x7f, -1, -1, -1, 2},
                    new byte[] {'J', 'F', 'R', '1', 0, 0, 0, 3, 2, 0, 0},
                    new byte[] {'J', 'F', 'R', '1', 0, 0}, new byte[0])) {
                Socket stranger = new Socket("127.0.0.1", meet.port());
                strangers.add(stranger);
                try {
                    OutputStream out = stranger.getOutputStream();
                    out.write(bytes);
                    out.flush();
                } catch (SocketException e) {
                    // it has hung up already
                }
            }
            for (Future<String> rank : meet.all(job -> "in")) {
                assertThat(Meet.result(rank)).isEqualTo("in");
            }
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void memberThatSendsNonsenseIsLostAndNamed() throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<String> zero = meet.one(0, Duration.ofSeconds(20), job -> {
                CompletableFuture<LostRank> lost = new CompletableFuture<>();
                job.onLost(lost::complete);
                // of those who are left
                String text = lost.get(20, TimeUnit.SECONDS).toString();
                job.barrier();
                return text + " " + job.lost().size();
            });
            meet.nonsense(1);
            assertThat(Meet.result(zero)).contains("rank 1 on ").contains("it has sent what it should not")
                    .endsWith(" 1");
        }
    }

    @Test
    void memberThatEndsWithinAFrameHasEnded() throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<String> zero = meet.one(0, Duration.ofSeconds(20), RendezvousTest::whoIsLost);
            meet.half(1);
            assertThat(Meet.result(zero)).contains("rank 1 on ").contains("ended without leaving the job");
        }
    }

    private static String whoIsLost(Job job) throws Exception {
        CompletableFuture<LostRank> lost = new CompletableFuture<>();
        job.onLost(lost::complete);
        return lost.get(20, TimeUnit.SECONDS).toString();
    }

    /** Its thread for a member has an Error: the member is lost, as nobody would notice its end any more. */
    @Test
    void serverWithoutMemoryForAMemberSaysSo() throws Exception {
        try (ChildJvm server = ChildJvm.of(ServerProcess.class, "2").flags("-Xmx24m").start()) {
            String line = server.awaitLine(said -> said.startsWith("port "));
            try (Meet meet = new Meet(2, Integer.parseInt(line.substring(5)))) {
                Future<String> zero = meet.one(0, Duration.ofSeconds(20), RendezvousTest::whoIsLost);
                meet.flood(1, 32);
                assertThat(Meet.result(zero)).contains("rank 1 on ")
                        .contains("the server failed: java.lang.OutOfMemoryError");
            }
        }
    }

    @Test
    void handlerThatFailsKeepsNobodyFromReading() throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<String> zero = meet.one(0, Duration.ofSeconds(10), job -> {
                CompletableFuture<LostRank> lost = new CompletableFuture<>();
                job.onLost(rank -> {
                    throw new AssertionError("a handler's own");
                });
                job.onLost(lost::complete);
                lost.get(10, TimeUnit.SECONDS);
                job.barrier();
                return "goes on";
            });
            meet.nonsense(1);
            assertThat(Meet.result(zero)).isEqualTo("goes on");
        }
    }

    @Test
    void handlersAreCalledInAThreadOfTheJobAlsoOfWhoIsLostAlready() throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<Thread> zero = meet.one(0, Duration.ofSeconds(20), job -> {
                whoIsLost(job);
                CompletableFuture<Thread> teller = new CompletableFuture<>();
                job.onLost(rank -> teller.complete(Thread.currentThread()));
                Thread other = teller.get(20, TimeUnit.SECONDS);
                assertThat(other).isNotSameAs(Thread.currentThread());
                return other;
            });
            meet.nonsense(1);
            assertThat(Meet.result(zero).isDaemon()).isTrue();
        }
    }

    /** As one that is ending, or has too many at its door. */
    @Test
    void serverThatHangsUpBeforeAWordIsAskedAgain() throws Exception {
        ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (Meet meet = new Meet(1, first.getLocalPort())) {
            Future<String> zero;
            try (first) {
                zero = meet.one(0, Duration.ofSeconds(20), job -> "in");
                first.setSoTimeout(20_000);
                first.accept().close();
            }
            try (AutoCloseable server = meet.serve()) {
                assertThat(server).isNotNull();
                assertThat(Meet.result(zero)).isEqualTo("in");
            }
        }
    }

    /** Each byte comes in time, and there is no end of them. */
    @Test
    void serverThatDripsEndsAtTheDeadline() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofPlatform().start(() -> {
                try (Socket socket = listener.accept()) {
                    OutputStream out = socket.getOutputStream();
                    out.write("JFR1".getBytes(StandardCharsets.US_ASCII));
                    // the length of a challenge
                    out.write(new byte[] {0, 0, 0, 33, 1});
                    for (int i = 0; i < 31; i++) {
                        out.write(i);
                        Thread.sleep(500);
                    }
                } catch (IOException hungUp) {
                    // as it is to be
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            JobOptions options = JobOptions.DEFAULT.withDeadline(Duration.ofSeconds(2)).withEnvironment(Map.of(
                    "JFABRIC_RENDEZVOUS", "127.0.0.1:" + listener.getLocalPort(), "JFABRIC_SIZE", "2",
                    "JFABRIC_RANK", "1"));
            long start = System.nanoTime();
            assertThatThrownBy(() -> Job.join(options)).isInstanceOf(JobException.class)
                    .hasMessageContaining("has not answered within 2 s");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            server.join();
        }
    }

    @Test
    @Tag("long")
    void waitsHaveDeadlinesThatNameRanks() throws Exception {
        try (Meet meet = new Meet(2)) {
            List<Future<String>> all = meet.all(Duration.ofSeconds(10), job -> {
                String said = "";
                if (job.rank() == 0) {
                    said = messageOf(() -> job.get(1, "never")) + messageOf(job::barrier);
                    job.put("done", new byte[1]);
                    job.commit();
                } else {
                    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                    while (System.nanoTime() < end && said.isEmpty()) {
                        try {
                            job.get(0, "done");
                            said = "done";
                        } catch (JobException e) {
                            continue;
                        }
                    }
                }
                return said;
            });
            assertThat(Meet.result(all.get(0))).contains("get: rank 1 on ")
                    .contains("has not committed \"never\" within").contains("fence: not there within")
                    .contains(": rank 1 on");
            assertThat(Meet.result(all.get(1))).isEqualTo("done");
        }
    }

    @Test
    void differentCollectivesAreToldApart() throws Exception {
        try (Meet meet = new Meet(2)) {
            List<Future<String>> all = meet.all(job -> messageOf(
                    () -> {
                        if (job.rank() == 0) {
                            job.barrier();
                        } else {
                            job.exchange(new byte[1]);
                        }
                    }));
            for (Future<String> each : all) {
                assertThat(Meet.result(each)).contains("all ranks must call the same in the same order");
            }
        }
    }

    @Test
    void argumentsAreChecked() throws Exception {
        try (Meet meet = new Meet(1)) {
            Meet.result(meet.one(0, Duration.ofSeconds(20), job -> {
                assertThatThrownBy(() -> job.put("a b", new byte[1])).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> job.put("a", new byte[Job.LONGEST_VALUE + 1]))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> job.get(1, "a")).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> job.abort("", 0)).isInstanceOf(IllegalArgumentException.class);
                job.put("a", new byte[1]);
                assertThatThrownBy(() -> job.put("a", new byte[1])).isInstanceOf(IllegalStateException.class);
                job.close();
                job.close();
                assertThatThrownBy(job::barrier).isInstanceOf(IllegalStateException.class);
                return "";
            }));
        }
    }

    private static String messageOf(Runnable action) {
        try {
            action.run();
            return "no failure";
        } catch (JobException e) {
            return e.getMessage() + "; ";
        }
    }
}
