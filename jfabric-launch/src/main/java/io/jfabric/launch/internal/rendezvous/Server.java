// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.internal.session.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the processes of a job meet: in rank 0, or in a process of its own. A thread for each connection reads, another
 * writes; what is read is hostile until the secret is proved, and may be wrong afterwards.
 */
public final class Server implements AutoCloseable {
    /** More processes than anybody has. */
    static final int MOST_RANKS = 1 << 20;
    private static final String ENDED = "its process has ended without leaving the job";
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    /** For strangers to say who they are. */
    private static final Duration HELLO = Duration.ofSeconds(30);
    /** For who is not to say more to read why, and hang up. */
    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final int BACKLOG = 1024;
    /** They call nothing deep; a large job has 2,000 of them. */
    private static final long STACK = 256 << 10;

    private final ServerSocket listener;
    private final Secret secret;
    private final Registry registry;
    private final Supplier<Thread.Builder> threads;
    private final Unproved unproved;
    private final Seldom notAccepted = new Seldom();
    private final Seldom notGreeted = new Seldom();

    private Server(ServerSocket listener, Secret secret, Registry registry, Unproved unproved,
            Supplier<Thread.Builder> threads) {
        this.listener = listener;
        this.secret = secret;
        this.registry = registry;
        this.unproved = unproved;
        this.threads = threads;
    }

    /**
     * Serves in a process of its own, with threads that cost little.
     *
     * @param address where; port 0 for any
     * @param size how many processes there will be
     * @param secret what they must know; may be empty
     * @param name the job's
     */
    public static Server start(InetSocketAddress address, int size, String secret, String name) throws IOException {
        return start(address, size, secret, name, Thread::ofVirtual);
    }

    /** As {@link #start}, in a program's JVM: one that computes in virtual threads would keep others from running. */
    static Server startInProgram(InetSocketAddress address, int size, String secret, String name) throws IOException {
        return start(address, size, secret, name, () -> Thread.ofPlatform().daemon().stackSize(STACK));
    }

    private static Server start(InetSocketAddress address, int size, String secret, String name,
            Supplier<Thread.Builder> threads) throws IOException {
        ServerSocket listener = new ServerSocket();
        try {
            listener.setReuseAddress(true);
            listener.bind(address, BACKLOG);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        Registry registry = new Registry(size, name);
        Server server = new Server(listener, new Secret(secret), registry, new Unproved(registry, size), threads);
        Thread.ofPlatform().daemon().name("jfabric-rendezvous").start(server::accept);
        return server;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** How many processes have come, so far. */
    int here() {
        return registry.here();
    }

    /** How many of them wait in a fence or exchange. */
    int inFence() {
        return registry.fences().waiting();
    }

    /** What a launcher knows: a process has ended that may not have been here yet. */
    public void ended(int rank, String host, String reason) {
        registry.ended(rank, host, reason);
    }

    /** As {@link #ended}, of a process that has failed: also one that has left is lost to the others then. */
    public void failed(int rank, String host, String reason) {
        registry.failed(rank, host, reason);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                begin(socket);
            } catch (IOException | OutOfMemoryError e) {
                if (listener.isClosed()) {
                    return;
                }
                warn(notAccepted, "a connection could not be accepted: " + e);
                if (!calmDown()) {
                    return;
                }
            }
        }
    }

    private static void warn(Seldom seldom, String text) {
        String count = seldom.happened();
        if (count != null) {
            LOG.warn("rendezvous: {}{}", text, count);
        }
    }

    /** There may be no thread to be had: an OutOfMemoryError. The process comes again when it is hung up on. */
    private void begin(Socket socket) throws IOException {
        Line line = null;
        boolean begun = false;
        try {
            line = new Line(socket);
            unproved.add(line);
            Line greeted = line;
            threads.get().name("jfabric-rendezvous-member").start(() -> serve(greeted));
            begun = true;
        } finally {
            if (!begun) {
                unproved.remove(line);
                socket.close();
            }
        }
    }

    /** Out of file descriptors or threads, most likely; trying at once would only burn time. */
    private static boolean calmDown() {
        try {
            Thread.sleep(50);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void serve(Line line) {
        try (line) {
            // for the whole greeting, so that a byte now and then does not hold a connection forever
            line.within(Deadline.in(HELLO));
            Hello hello;
            try {
                hello = greet(line);
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    warn(notGreeted, "a connection from " + line.socket.getRemoteSocketAddress()
                            + " is not from a process of the job: " + e);
                }
                return;
            }
            Thread.Builder out = threads.get().name("jfabric-rendezvous-out");
            if (hello == null) {
                line.start(out, (int) LINGER.toMillis());
                registry.stranger(line);
                linger(line);
                return;
            }
            if (!unproved.remove(line)) {
                return;
            }
            line.start(out, hello.liveness());
            Member member = registry.join(hello, line);
            if (member == null) {
                linger(line);
                return;
            }
            converse(member, hello);
        } catch (IOException | RejectedExecutionException e) {
            // the second: the service ends
            LOG.debug("rendezvous: {}", e.toString());
        } finally {
            unproved.remove(line);
        }
    }

    /** Null if it does not know the secret. */
    private Hello greet(Line line) throws IOException {
        if (listener.isClosed()) {
            throw new EOFException("the service ends");
        }
        byte[] mine = Secret.nonce();
        line.greet(new Frame(Frame.CHALLENGE, mine));
        byte[] magic = line.in.readNBytes(Frame.MAGIC.length);
        if (!Arrays.equals(magic, Frame.MAGIC)) {
            throw new ProtocolException("it does not speak the protocol");
        }
        Frame frame = Frame.read(line.in, Frame.HELLO_LIMIT).expect(Frame.HELLO);
        int head = Frame.NONCE + Secret.PROOF;
        if (frame.body().length < head) {
            throw new ProtocolException("its first frame is too short");
        }
        byte[] theirs = Arrays.copyOf(frame.body(), Frame.NONCE);
        byte[] proof = Arrays.copyOfRange(frame.body(), Frame.NONCE, head);
        byte[] body = Arrays.copyOfRange(frame.body(), head, frame.body().length);
        if (!secret.proves(proof, "client", mine, theirs, body)) {
            return null;
        }
        Hello hello = new Frame(Frame.HELLO, body).parse(Hello::read);
        line.send(new Frame(Frame.CHALLENGE, secret.proof("server", theirs, mine)));
        return hello;
    }

    /** Closing at once could take away what was sent: waits until the other side has closed, too, for a moment. */
    private static void linger(Line line) {
        line.finish();
        line.within(Deadline.in(LINGER));
        try {
            for (int i = 0; i < Frame.HELLO_LIMIT && line.in.read() >= 0; i++) {
                continue;
            }
        } catch (IOException e) {
            // gone, which is the aim
        }
    }

    private void converse(Member member, Hello hello) {
        try {
            while (true) {
                Frame frame = Frame.read(member.line.in, Frame.MEMBER_LIMIT);
                if (frame.type() == Frame.BYE) {
                    registry.leave(member);
                    linger(member.line);
                    return;
                }
                handle(member, frame);
            }
        } catch (SocketTimeoutException e) {
            registry.lose(member, "silent for " + Duration.ofMillis(hello.liveness()).toSeconds()
                    + " s: stopped, or its host cannot be reached");
        } catch (ProtocolException e) {
            registry.lose(member, "it has sent what it should not: " + e.getMessage());
        } catch (EOFException e) {
            registry.lose(member, ENDED);
        } catch (IOException e) {
            // a process that is killed with bytes unread resets its connection
            boolean reset = String.valueOf(e.getMessage()).contains("reset");
            registry.lose(member, reset ? ENDED : "its process has ended, or the connection to it: " + e.getMessage());
        } catch (Throwable e) {
            // such as no memory for what it sends: without an end of it the others would wait for it
            registry.lose(member, "the server failed: " + e);
            LOG.error("rendezvous: serving {} has failed", member.who(), e);
        }
    }

    private void handle(Member member, Frame frame) throws IOException {
        if (frame.type() != Frame.PING && !registry.complete()) {
            throw new ProtocolException("a frame of type " + frame.type() + " before all ranks were there");
        }
        switch (frame.type()) {
            case Frame.PING -> { }
            case Frame.COMMIT -> registry.commit(member, frame.parse(in -> {
                Map<String, byte[]> values = new HashMap<>();
                for (int left = in.readInt(); left > 0; left--) {
                    values.put(in.readUTF(), Frame.readBytes(in));
                }
                return values;
            }));
            case Frame.FENCE -> frame.parse(in -> {
                registry.fences().arrive(member, in.readInt(), in.readLong(), in.readBoolean(), Frame.readBytes(in));
                return null;
            });
            case Frame.GET -> frame.parse(in -> {
                registry.get(member, in.readInt(), in.readLong(), in.readInt(), in.readUTF());
                return null;
            });
            case Frame.GIVE_UP -> frame.parse(in -> {
                registry.giveUp(member, in.readInt());
                return null;
            });
            case Frame.ABORT -> frame.parse(in -> {
                registry.abort(member, in.readInt(), in.readUTF());
                return null;
            });
            default -> throw new ProtocolException("a frame of type " + frame.type());
        }
    }

    /** Waits until all processes that have joined have left or are lost, interrupted or not. */
    public void awaitEnd(long millis) {
        registry.awaitEnd(millis);
    }

    /** The process of this rank, in which it serves, ends: the others get what they were sent, such as why. */
    void lastWords(int rank) {
        registry.finish(rank);
    }

    /** Ends the service; who is still there is told that nobody was lost. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            LOG.debug("rendezvous: {}", e.toString());
        }
        registry.close();
        unproved.close();
    }
}
