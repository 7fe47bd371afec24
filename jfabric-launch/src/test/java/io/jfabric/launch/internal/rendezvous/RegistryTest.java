// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
