// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.launch.LostRank;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class RegistryTest {
    /** Together more than what sockets buffer. */
    private static final int FRAMES = 20;
    private static final int FRAME = 1 << 20;

    /** Such a process has to read, too, why the job cannot start. */
    @Test
    void endIsAlsoThatOfProcessesWithoutARankYet() throws Exception {
        Registry registry = new Registry(2, "unnumbered");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            Member member = registry.join(new Hello(2, -1, "host", 1, 20_000, 30_000), new Line(socket));
            Thread waiting = Thread.ofPlatform().daemon().start(() -> registry.awaitEnd(20_000));
            waiting.join(300);
            assertThat(waiting.isAlive()).as("waits").isTrue();
            registry.lose(member, "gone");
            waiting.join(10_000);
            assertThat(waiting.isAlive()).as("still waits").isFalse();
        } finally {
            registry.close();
        }
    }

    /** Whether its last words, or the launcher's, are read first. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoeverHasFailedHasNotLeftInPeace(boolean launcherFirst) throws Exception {
        Registry registry = new Registry(2, "failed");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Line reader = new Line(listener.accept()); Socket unread = new Socket()) {
            Line line = new Line(socket);
            line.start(Thread.ofPlatform().daemon(), 30_000);
            registry.join(new Hello(2, 0, "host", 1, 20_000, 30_000), line);
            Member one = registry.join(new Hello(2, 1, "host", 2, 20_000, 30_000), line(unread, listener));
            if (launcherFirst) {
                registry.failed(1, "host", "it has failed");
                registry.leave(one);
            } else {
                registry.leave(one);
                registry.failed(1, "host", "it has failed");
            }
            Frame.read(reader.in, FRAME).expect(Frame.WELCOME);
            LostRank lost = Frame.read(reader.in, FRAME).expect(Frame.LOST).parse(LostText::read);
            assertThat(lost).isEqualTo(new LostRank(1, "host", "it has failed (pid 2)"));
            assertThat(registry.present()).isEqualTo(1);
        } finally {
            registry.close();
        }
    }

    /** Nobody writes to it. */
    private static Line line(Socket socket, ServerSocket listener) throws IOException {
        socket.connect(listener.getLocalSocketAddress());
        return new Line(socket);
    }

    /** Else it would take the end of the service for the loss of whoever serves. */
    @Test
    void whoReadsSlowlyIsToldOfTheEndByAnInterruptedThread() throws Exception {
        Registry registry = new Registry(1, "slow");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Line reader = new Line(listener.accept())) {
            Line line = new Line(socket);
            line.start(Thread.ofPlatform().daemon(), 30_000);
            Member member = registry.join(new Hello(1, 0, "host", 1, 20_000, 30_000), line);
            for (int i = 0; i < FRAMES; i++) {
                line.send(new Frame(Frame.RESULT, new byte[FRAME]));
            }
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> {
                Thread.currentThread().interrupt();
                registry.close();
                interrupted.complete(Thread.currentThread().isInterrupted());
            });
            // enough for a close that does not wait
            Thread.sleep(200);
            assertThat(interrupted).isNotDone();
            Frame.read(reader.in, FRAME).expect(Frame.WELCOME);
            for (int i = 0; i < FRAMES; i++) {
                Frame.read(reader.in, FRAME + 1).expect(Frame.RESULT);
            }
            Frame.read(reader.in, FRAME).expect(Frame.ENDS);
            registry.lose(member, "it has hung up");
            assertThat(interrupted.get(20, TimeUnit.SECONDS)).as("interrupted afterwards").isTrue();
        }
    }
}
