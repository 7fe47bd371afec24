// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.JobException;
import io.jfabric.launch.LostRank;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Watcher;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what the server says, in a thread of its own, and hands it to who waits for it. */
final class Replies implements Runnable {
    /** The server answers a little before the deadline; this is for a server that does not. */
    private static final long GRACE_MILLIS = 500;
    private static final Logger LOG = LoggerFactory.getLogger("io.jfabric.launch.Job");

    private final Line line;
    private final Watcher watcher;
    private final LostRank serverGone;
    private final Map<Integer, CompletableFuture<byte[]>> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private volatile CompletableFuture<Void> left = new CompletableFuture<>();
    private volatile boolean leaving;
    private volatile JobException ended;

    Replies(Line line, Watcher watcher, LostRank serverGone) {
        this.line = line;
        this.watcher = watcher;
        this.serverGone = serverGone;
    }

    byte[] ask(String what, Deadline deadline, IntFunction<Frame> question) {
        int request = next.getAndIncrement();
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        waiting.put(request, answer);
        try {
            check(what);
            line.send(question.apply(request));
            return answer.get(deadline.millis() + GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return giveUp(request, answer,
                    new JobException(what + ": no answer from the rendezvous server within " + deadline, e));
        } catch (ExecutionException e) {
            JobException cause = (JobException) e.getCause();
            throw new JobException(cause.getMessage(), cause.lost().orElse(null));
        } catch (InterruptedException e) {
            try {
                return giveUp(request, answer, new JobException(what + ": interrupted", e));
            } finally {
                Thread.currentThread().interrupt();
            }
        } finally {
            waiting.remove(request);
        }
    }

    /**
     * So that a fence fails for the others, too, and the next one of this rank is another. What has been given up is
     * answered at once: whoever went on before could be overtaken by what others send, and have failed in what
     * succeeds for them.
     */
    private byte[] giveUp(int request, CompletableFuture<byte[]> answer, JobException failure) {
        line.send(Frame.of(Frame.GIVE_UP, out -> out.writeInt(request)));
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
        while (true) {
            try {
                return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw failure;
            } catch (InterruptedException again) {
                // the first has ended the wait already
            }
        }
    }

    /** Fails where nobody answers, or reads, any more. */
    void check(String what) {
        JobException end = ended;
        if (end != null) {
            throw new JobException(what + ": " + end.getMessage(), end.lost().orElse(null));
        }
    }

    /** From now on the end of the connection is no surprise. Done when there is no answer to wait for any more. */
    CompletableFuture<Void> leave() {
        leaving = true;
        return left;
    }

    @Override
    public void run() {
        String reason;
        try {
            while (true) {
                Frame frame = Frame.read(line.in, Frame.SERVER_LIMIT);
                if (frame.type() == Frame.BYE) {
                    end("this rank has left the job", null);
                    left.complete(null);
                    return;
                }
                if (frame.type() == Frame.ENDS) {
                    serviceEnds();
                    return;
                }
                handle(frame);
            }
        } catch (SocketTimeoutException e) {
            reason = "silent too long";
        } catch (IOException e) {
            reason = e.getMessage() == null ? "closed" : e.getMessage();
        } catch (Throwable e) {
            // whoever waits must not wait for a thread that is gone
            LOG.error("reading what the rendezvous server says has failed", e);
            reason = e.toString();
        }
        line.close();
        LostRank gone = new LostRank(serverGone.rank(), serverGone.host(), serverGone.reason() + ": " + reason);
        left.complete(null);
        if (watcher.endsWhenLost()) {
            // first: the program may end the process when an operation fails, with another status
            loss(gone);
            end(gone.toString(), gone);
        } else {
            end(gone.toString(), gone);
            loss(gone);
        }
    }

    private void loss(LostRank gone) {
        if (!leaving) {
            watcher.lost(gone);
        }
    }

    /** No loss: this rank goes on, as far as it can. */
    private void serviceEnds() {
        line.close();
        String text = serverGone.rank() < 0 ? "the rendezvous server at " + serverGone.host() + " has ended its service"
                : "rank " + serverGone.rank() + " on " + serverGone.host()
                        + ", which served the rendezvous, has closed its job";
        if (!leaving) {
            LOG.warn("{}: nothing can be asked of the job any more, nor does it report lost ranks", text);
        }
        end(text, null);
        left.complete(null);
    }

    private void end(String text, LostRank lost) {
        ended = new JobException(text, lost);
        waiting.values().forEach(answer -> answer.completeExceptionally(ended));
    }

    private void handle(Frame frame) throws IOException {
        switch (frame.type()) {
            case Frame.PING -> { }
            case Frame.RESULT -> frame.parse(this::answer);
            case Frame.FAILURE -> frame.parse(this::failure);
            case Frame.LOST -> {
                LostRank lost = frame.parse(LostText::read);
                if (!leaving && lost != null) {
                    tell(() -> watcher.lost(lost));
                }
            }
            case Frame.ABORT -> frame.parse(in -> {
                int exitCode = in.readInt();
                String text = in.readUTF();
                tell(() -> watcher.aborted(text, exitCode));
                return null;
            });
            default -> throw new ProtocolException("the server has sent a frame of type " + frame.type());
        }
    }

    /**
     * In this thread, so that nobody hears of what comes later before. It may end the process, whose shutdown hooks
     * must not wait for an answer that this thread does not read.
     */
    private void tell(Runnable event) {
        left.complete(null);
        event.run();
        left = new CompletableFuture<>();
    }

    private Void answer(DataInputStream in) throws IOException {
        CompletableFuture<byte[]> answer = waiting.get(in.readInt());
        byte[] value = Frame.readBytes(in);
        if (answer != null) {
            answer.complete(value);
        }
        return null;
    }

    private Void failure(DataInputStream in) throws IOException {
        CompletableFuture<byte[]> answer = waiting.get(in.readInt());
        JobException failure = new JobException(in.readUTF(), LostText.read(in));
        if (answer != null) {
            answer.completeExceptionally(failure);
        }
        return null;
    }
}
