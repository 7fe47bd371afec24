// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.Job;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.WhenLost;
import io.jfabric.launch.internal.session.Deadline;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A server, and ranks that are threads of this JVM. */
public final class Meet implements AutoCloseable {
    public static final String SECRET = "between us";
    private static final Duration LONG = Duration.ofSeconds(30);
    private final int size;
    private final int port;
    private final Server server;
    private final ExecutorService threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    /** What a rank does. */
    public interface Program<T> {
        T run(Job job) throws Exception;
    }

    public Meet(int size) throws IOException {
        this.size = size;
        server = serve(size, 0);
        port = server.port();
    }

    /** Its server, where it was made with a port. */
    public AutoCloseable serve() throws IOException {
        return serve(size, port);
    }

    /** At a server in another process, or one that comes later. */
    public Meet(int size, int port) {
        this.size = size;
        this.port = port;
        server = null;
    }

    static Server serve(int size, int port) throws IOException {
        return Server.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), size, SECRET, "test");
    }

    public int size() {
        return size;
    }

    public int port() {
        return port;
    }

    public Map<String, String> environment(int rank, String secret, int claimed) {
        Map<String, String> environment = new HashMap<>(Map.of(Target.RENDEZVOUS, "127.0.0.1:" + port(),
                Target.SIZE, Integer.toString(claimed), Target.SECRET, secret, Target.SERVER, Target.APART));
        if (rank >= 0) {
            environment.put(Target.RANK, Integer.toString(rank));
        }
        return environment;
    }

    public JobOptions options(int rank, Duration deadline, String secret) {
        return options(rank, deadline, secret, size);
    }

    public JobOptions options(int rank, Duration deadline, String secret, int claimed) {
        return JobOptions.DEFAULT.withWhenLost(WhenLost.REPORT).withDeadline(deadline)
                .withEnvironment(environment(rank, secret, claimed));
    }

    public <T> Future<T> one(int rank, Duration deadline, Program<T> program) {
        return one(rank, deadline, Map.of(), program);
    }

    /** With other variables than it would have. */
    <T> Future<T> one(int rank, Duration deadline, Map<String, String> variables, Program<T> program) {
        Map<String, String> environment = environment(rank, SECRET, size);
        environment.putAll(variables);
        return threads.submit(() -> {
            try (Job job = Job.join(options(rank, deadline, SECRET).withEnvironment(environment))) {
                return program.run(job);
            }
        });
    }

    public <T> List<Future<T>> all(Program<T> program) {
        return all(LONG, program);
    }

    public <T> List<Future<T>> all(Duration deadline, Program<T> program) {
        List<Future<T>> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            all.add(one(rank, deadline, program));
        }
        return all;
    }

    public <T> List<Future<T>> unnumbered(Program<T> program) {
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(one(-1, LONG, program));
        }
        return all;
    }

    /** Joins as a rank, and then sends what the protocol does not have. */
    public void nonsense(int rank) throws IOException {
        joined(rank).send(new Frame(Frame.FENCE, new byte[] {1, 2, 3}));
    }

    /** Joins as a rank, and ends within a frame. */
    public void half(int rank) throws IOException {
        Socket socket = joined(rank).socket;
        socket.getOutputStream().write(new byte[] {0, 0, 0, 100, Frame.FENCE, 1, 2});
        // closing would reset the connection if something is unread
        socket.shutdownOutput();
    }

    /** Joins as a rank, and commits more than a small server has memory for. */
    public void flood(int rank, int megabytes) throws IOException {
        Line line = joined(rank);
        for (int i = 0; i < megabytes; i++) {
            String key = "key " + i;
            line.send(Frame.of(Frame.COMMIT, out -> {
                out.writeInt(1);
                out.writeUTF(key);
                Frame.writeBytes(out, new byte[1 << 20]);
            }));
        }
    }

    /** Joins as a rank, and is lost when it is closed. */
    public Closeable silent(int rank) throws IOException {
        Line line = joined(rank);
        return line::close;
    }

    /** Comes without a rank, and is lost when it is closed, before it gets one. */
    public Closeable waiting() throws IOException {
        JobOptions options = options(-1, LONG, SECRET);
        Line line = Meeting.meet(Target.of(options.environment()), options, Deadline.in(LONG));
        return line::close;
    }

    /** A rank without a job. */
    Line joined(int rank) throws IOException {
        JobOptions options = options(rank, LONG, SECRET);
        Target target = Target.of(options.environment());
        Line line = Meeting.meet(target, options, Deadline.in(LONG));
        Meeting.welcome(line, target, Deadline.in(LONG));
        return line;
    }

    /** Until so many have come. */
    public void awaitMembers(int count) throws InterruptedException {
        Deadline deadline = Deadline.in(LONG);
        while (server.here() < count && !deadline.passed()) {
            deadline.pause(5);
        }
    }

    /** Until so many wait in a fence or exchange. */
    public void awaitFence(int count) throws InterruptedException {
        Deadline deadline = Deadline.in(LONG);
        while (server.inFence() < count && !deadline.passed()) {
            deadline.pause(5);
        }
    }

    /** What it gave, or its own exception. */
    public static <T> T result(Future<T> future) throws Exception {
        try {
            return future.get(40, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        if (server != null) {
            server.close();
        }
    }
}
