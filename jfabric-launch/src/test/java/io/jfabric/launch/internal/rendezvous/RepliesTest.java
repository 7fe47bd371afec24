// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jfabric.launch.LostRank;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Watcher;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RepliesTest {
    private final CompletableFuture<LostRank> told = new CompletableFuture<>();
    private final CompletableFuture<Void> goesOn = new CompletableFuture<>();

    /** Takes its time, as one does that ends the process. */
    private final class Slow implements Watcher {
        @Override
        public boolean endsWhenLost() {
            return true;
        }

        @Override
        public void lost(LostRank rank) {
            told.complete(rank);
            goesOn.join();
        }

        @Override
        public void aborted(String message, int exitCode) {
            throw new AssertionError(message);
        }

        @Override
        public void beforeEnd(Runnable lastWords) {
            throw new AssertionError("it has none");
        }
    }

    /** What then fails in the program could end the process with another status than that of a loss. */
    @Test
    void theLossOfTheServerIsToldBeforeOperationsFail() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Line line = new Line(new Socket(listener.getInetAddress(), listener.getLocalPort()))) {
            line.start(Thread.ofPlatform().daemon(), 30_000);
            LostRank zero = new LostRank(0, "host", "gone");
            Replies replies = new Replies(line, new Slow(), zero);
            Thread.ofPlatform().daemon().start(replies);
            CompletableFuture<byte[]> answer = CompletableFuture.supplyAsync(
                    () -> replies.ask("fence", Deadline.in(Duration.ofSeconds(20)), any -> Frame.empty(Frame.FENCE)));
            try (Socket server = listener.accept()) {
                Frame.read(new DataInputStream(server.getInputStream()), Frame.MEMBER_LIMIT).expect(Frame.FENCE);
            }
            assertThat(told.get(10, TimeUnit.SECONDS).rank()).isZero();
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS));
            goesOn.complete(null);
            assertThat(answer).failsWithin(Duration.ofSeconds(10)).withThrowableThat()
                    .withMessageContaining("rank 0 on host: gone");
        }
    }
}
