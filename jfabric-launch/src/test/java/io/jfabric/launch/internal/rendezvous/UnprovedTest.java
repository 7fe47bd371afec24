// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.launch.Job;
import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.internal.session.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes without the secret. */
@Timeout(60)
class UnprovedTest {
    private static final String FORGED = "x\n12:00:00 ERROR Job - FORGED";
    private static final Duration LONG = Duration.ofSeconds(20);

    /** Has said its first words, which do not prove the secret. */
    private static Socket stranger(int port, Hello hello) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        greeted(socket).greet(Frame.of(Frame.HELLO, out -> {
            out.write(new byte[Frame.NONCE + Secret.PROOF]);
            hello.write(out);
        }));
        return socket;
    }

    private static Line greeted(Socket socket) throws IOException {
        Line line = new Line(socket);
        line.in.readNBytes(Frame.MAGIC.length);
        Frame.read(line.in, Frame.HELLO_LIMIT).expect(Frame.CHALLENGE);
        return line;
    }

    private static Hello hello(int rank, String host) {
        return new Hello(2, rank, host, 1, 60_000, Integer.MAX_VALUE);
    }

    @Test
    @Tag("long")
    void theyLeaveNothingOfWhatTheySayAndRoomForTheRefusalsOfOthers() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (Meet meet = new Meet(2)) {
            Future<Integer> zero = meet.one(0, Duration.ofSeconds(8), Job::rank);
            meet.awaitMembers(1);
            // the last is not even a process that can be
            for (int i = 0; i <= 25; i++) {
                try (Socket stranger = stranger(meet.port(), hello(i < 25 ? 1 : 7, FORGED))) {
                    stranger.setSoTimeout((int) LONG.toMillis());
                    stranger.getInputStream().readAllBytes();
                } catch (SocketException e) {
                    // it has hung up
                }
            }
            JobOptions other = meet.options(1, Duration.ofSeconds(5), Meet.SECRET, 5);
            assertThatThrownBy(() -> Job.join(other)).hasMessageContaining("the job has 5 ranks, but it has 2");
            assertThatThrownBy(() -> Meet.result(zero)).isInstanceOf(JobException.class)
                    .hasMessageContaining("the job has 5 ranks, but it has 2")
                    .hasMessageContaining("a process at 127.0.0.1 has another secret")
                    .hasMessageNotContaining("FORGED");
            assertThat(log.toString(StandardCharsets.UTF_8)).contains("127.0.0.1 has another secret")
                    .doesNotContain("FORGED");
        } finally {
            System.setErr(before);
        }
    }

    /** Whatever else it knows. */
    @Test
    void nameOfAHostIsOneWord() {
        for (String host : new String[] {FORGED, "a b", "a\u2028b", "a\u0085b"}) {
            Frame frame = Frame.of(Frame.HELLO, hello(1, host)::write);
            assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> frame.parse(Hello::read))
                    .withMessageNotContaining(host);
        }
    }

    /** Each byte comes in time, and there is no end of them. */
    @Test
    void refusedOneThatGoesOnTalkingIsHungUpOn() throws Exception {
        try (Meet meet = new Meet(2); Socket stranger = stranger(meet.port(), hello(1, "h"))) {
            Deadline deadline = Deadline.in(LONG);
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
                while (!deadline.passed()) {
                    stranger.getOutputStream().write(0);
                    deadline.pause(200);
                }
            });
        }
    }

    /** The oldest goes, so that a process of the job gets in. */
    @Test
    void thereIsALimitOfThoseThatSayNothing() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (Meet meet = new Meet(2)) {
            firstOfMoreIsHungUpOn(meet.port(), Unproved.MOST + 2, silent);
            CountDownLatch seen = new CountDownLatch(1);
            List<Future<Boolean>> ranks = meet.all(LONG, job -> seen.await(LONG.toSeconds(), TimeUnit.SECONDS));
            meet.awaitMembers(2);
            firstOfMoreIsHungUpOn(meet.port(), Unproved.MOST_WHEN_COMPLETE, silent);
            seen.countDown();
            for (Future<Boolean> rank : ranks) {
                assertThat(Meet.result(rank)).isTrue();
            }
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static void firstOfMoreIsHungUpOn(int port, int most, List<Socket> silent) throws IOException {
        List<Socket> all = new ArrayList<>();
        for (int i = 0; i <= most; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            silent.add(socket);
            all.add(socket);
        }
        Socket first = all.getFirst();
        first.setSoTimeout((int) LONG.toMillis() / 2);
        try {
            first.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // it has hung up
        }
        Socket last = all.getLast();
        greeted(last);
        last.setSoTimeout(100);
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> last.getInputStream().read());
    }

    @Test
    void endOfTheServiceIsThatOfGreetings() throws Exception {
        Server server = Meet.serve(2, 0);
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            silent.setSoTimeout((int) LONG.toMillis());
            Line line = greeted(silent);
            server.close();
            assertThat(line.in.read()).as("the end of the stream").isEqualTo(-1);
        } finally {
            server.close();
        }
    }

    @Test
    void serverIsNotQuotedBeforeItHasProvedTheSecret() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Meet meet = new Meet(2, listener.getLocalPort())) {
            Future<Integer> one = meet.one(1, LONG, Job::rank);
            listener.setSoTimeout((int) LONG.toMillis());
            try (Socket socket = listener.accept()) {
                Line line = new Line(socket);
                line.greet(new Frame(Frame.CHALLENGE, new byte[Frame.NONCE]));
                line.in.readNBytes(Frame.MAGIC.length);
                Frame.read(line.in, Frame.HELLO_LIMIT).expect(Frame.HELLO);
                Assembly.refusal(FORGED, null).write(new DataOutputStream(socket.getOutputStream()));
                assertThatThrownBy(() -> Meet.result(one)).isInstanceOf(JobException.class)
                        .hasMessageContaining("has another secret").hasMessageNotContaining("FORGED");
            }
        }
    }
}
