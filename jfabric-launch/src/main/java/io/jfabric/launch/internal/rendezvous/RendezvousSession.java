// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.LostRank;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Hosts;
import io.jfabric.launch.internal.session.Place;
import io.jfabric.launch.internal.session.Session;
import io.jfabric.launch.internal.session.Uninterrupted;
import io.jfabric.launch.internal.session.Watcher;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process's connection to the {@link Server}. */
public final class RendezvousSession implements Session {
    private final Target target;
    private final Server server;
    private final Replies replies;
    private final Line line;
    private final Welcome welcome;
    private final Map<String, byte[]> uncommitted = new LinkedHashMap<>();

    private RendezvousSession(Target target, Server server, Line line, Welcome welcome, Watcher watcher) {
        this.target = target;
        this.server = server;
        this.line = line;
        this.welcome = welcome;
        LostRank gone = new LostRank(server == null && target.rank() != 0 && target.servedByRank0() ? 0 : -1,
                server == null && target.servedByRank0() ? welcome.hosts().getFirst() : target.toString(),
                "the connection to the rendezvous server at " + target + " is lost");
        replies = new Replies(line, watcher, gone);
    }

    /** Comes back when all ranks are there. */
    public static RendezvousSession join(JobOptions options, Watcher watcher, Deadline deadline) {
        Target target = Target.of(options.environment());
        Server server = target.serve();
        if (server != null) {
            watcher.beforeEnd(() -> server.lastWords(target.rank()));
        }
        try {
            Line line = Meeting.meet(target, options, deadline);
            boolean joined = false;
            try {
                Welcome welcome = Meeting.welcome(line, target, deadline);
                line.within(null);
                line.socket.setSoTimeout((int) options.liveness().toMillis());
                var session = new RendezvousSession(target, server, line, welcome, watcher);
                joined = true;
                Thread.ofPlatform().daemon().name("jfabric-job").start(session.replies);
                return session;
            } finally {
                if (!joined) {
                    line.close();
                }
            }
        } catch (IOException e) {
            giveUp(server, deadline);
            throw new JobException("join: the connection to the rendezvous server at " + target + " failed: "
                    + e.getMessage(), e);
        } catch (RuntimeException e) {
            giveUp(server, deadline);
            throw e;
        }
    }

    /** The others have been told; they need a moment to read it. */
    private static void giveUp(Server server, Deadline deadline) {
        end(server, Math.clamp(deadline.millis(), 1000, 5000));
    }

    private static void end(Server server, long millis) {
        if (server != null) {
            server.awaitEnd(millis);
            server.close();
        }
    }

    @Override
    public Place place() {
        int rank = welcome.rank();
        return new Place(rank, welcome.hosts().size(), Hosts.localRank(welcome.hosts(), rank),
                Hosts.localSize(welcome.hosts(), rank), welcome.name());
    }

    @Override
    public String host(int rank) {
        return welcome.hosts().get(rank);
    }

    @Override
    public synchronized void put(String key, byte[] value, Deadline deadline) {
        uncommitted.put(key, value.clone());
    }

    @Override
    public synchronized void commit(Deadline deadline) {
        replies.check("commit");
        // in several frames, as a frame has a limit
        for (Map.Entry<String, byte[]> entry : uncommitted.entrySet()) {
            line.send(Frame.of(Frame.COMMIT, out -> {
                out.writeInt(1);
                out.writeUTF(entry.getKey());
                Frame.writeBytes(out, entry.getValue());
            }));
        }
        uncommitted.clear();
    }

    @Override
    public void fence(Deadline deadline) {
        fence(false, new byte[0], deadline);
    }

    private byte[] fence(boolean exchange, byte[] value, Deadline deadline) {
        return replies.ask(exchange ? "exchange" : "fence", deadline, request -> Frame.of(Frame.FENCE, out -> {
            out.writeInt(request);
            out.writeLong(deadline.millis());
            out.writeBoolean(exchange);
            Frame.writeBytes(out, value);
        }));
    }

    @Override
    public byte[] get(int rank, String key, Deadline deadline) {
        return replies.ask("get", deadline, request -> Frame.of(Frame.GET, out -> {
            out.writeInt(request);
            out.writeLong(deadline.millis());
            out.writeInt(rank);
            out.writeUTF(key);
        }));
    }

    @Override
    public List<byte[]> gather(byte[] mine, Deadline deadline) {
        byte[] all = fence(true, mine, deadline);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(all));
        List<byte[]> values = new ArrayList<>();
        try {
            for (int rank = 0; rank < welcome.hosts().size(); rank++) {
                values.add(Frame.readBytes(in));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("exchange: the server at " + target + " has sent too little", e);
        }
        return values;
    }

    @Override
    public void abort(String message, int exitCode) {
        replies.check("abort");
        line.send(Frame.of(Frame.ABORT, out -> {
            out.writeInt(exitCode);
            out.writeUTF(Registry.shorten(message));
        }));
        bye(Deadline.in(Duration.ofSeconds(2)));
    }

    private void bye(Deadline deadline) {
        CompletableFuture<Void> answered = replies.leave();
        line.send(Frame.empty(Frame.BYE));
        Uninterrupted.await(() -> {
            try {
                answered.get(Math.max(1, deadline.millis()), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // the server is gone, which is what is wanted
            }
        });
        // where there was no answer to wait for, what was sent must not be overtaken by the end
        line.finish();
        Uninterrupted.await(() -> line.awaitWritten(deadline));
    }

    @Override
    public void close(Deadline deadline) {
        bye(deadline);
        line.close();
        end(server, deadline.millis());
    }
}
