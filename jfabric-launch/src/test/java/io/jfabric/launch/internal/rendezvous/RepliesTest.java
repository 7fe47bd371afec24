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

    /** Takes its time. */
    private final class Slow implements Watcher {
        private final boolean ends;

        Slow(boolean ends) {
            this.ends = ends;
        }

        @Override
        public boolean endsWhenLost() {
            return ends;
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
    void theLossOfTheServerEndsTheProcessBeforeOperationsFail() throws Exception {
        CompletableFuture<byte[]> answer = askWhoGoes(new Slow(true));
        assertThat(told.get(10, TimeUnit.SECONDS).rank()).isZero();
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS));
        goesOn.complete(null);
        assertFails(answer);
    }

    /** Who is told of it may wait for what the operation holds, or ask something, which must not wait either. */
    @Test
    void whereItIsReportedOperationsFailBefore() throws Exception {
        CompletableFuture<byte[]> answer = askWhoGoes(new Slow(false));
        assertFails(answer);
        assertThat(told.get(10, TimeUnit.SECONDS).rank()).isZero();
        goesOn.complete(null);
    }

    private CompletableFuture<byte[]> askWhoGoes(Watcher watcher) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Line line = new Line(new Socket(listener.getInetAddress(), listener.getLocalPort()));
            line.start(Thread.ofPlatform().daemon(), 30_000);
            Replies replies = new Replies(line, watcher, new LostRank(0, "host", "gone"));
            Thread.ofPlatform().daemon().start(replies);
            CompletableFuture<byte[]> answer = CompletableFuture.supplyAsync(
                    () -> replies.ask("fence", Deadline.in(Duration.ofSeconds(20)), any -> Frame.empty(Frame.FENCE)));
            try (Socket server = listener.accept()) {
                Frame.read(new DataInputStream(server.getInputStream()), Frame.MEMBER_LIMIT).expect(Frame.FENCE);
            }
            return answer;
        }
    }

    private static void assertFails(CompletableFuture<byte[]> answer) {
        assertThat(answer).failsWithin(Duration.ofSeconds(10)).withThrowableThat()
                .withMessageContaining("rank 0 on host: gone");
    }
}
