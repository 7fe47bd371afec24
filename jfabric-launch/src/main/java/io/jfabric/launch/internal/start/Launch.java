// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import io.jfabric.launch.internal.rendezvous.Server;
import io.jfabric.launch.internal.rendezvous.Target;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Hosts;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Starts the processes of a job on a developer's machine, or by ssh on some, and serves their rendezvous. */
public final class Launch {
    private static final int BAD_USAGE = 2;
    /** As shells have it. */
    private static final int CANNOT_RUN = 126;
    private static final int SIGNALS = 128;
    /** What is above is a status, such as ssh's 255. */
    private static final int LAST_SIGNAL = 64;
    private static final int SECRET_BYTES = 16;
    private static final int GRACE_SECONDS = 5;
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final Plan plan;
    private final List<Rank> ranks = new ArrayList<>();
    private final LinkedBlockingQueue<Rank> ends = new LinkedBlockingQueue<>();
    private volatile boolean ending;
    private Deadline drained;

    private Launch(Plan plan) {
        this.plan = plan;
    }

    /** Takes what {@link Plan#USAGE} says. */
    public static void main(String[] args) throws InterruptedException {
        if (args.length > 0 && (args[0].equals("-h") || args[0].equals("--help"))) {
            System.out.println(Plan.USAGE);
            return;
        }
        Plan plan;
        try {
            plan = Plan.of(args);
            Given.check(args);
        } catch (IllegalArgumentException e) {
            System.err.println("launch: " + e.getMessage());
            System.err.println(Plan.USAGE);
            System.exit(BAD_USAGE);
            return;
        }
        System.exit(new Launch(plan).run());
    }

    private int run() throws InterruptedException {
        boolean here = plan.hosts().isEmpty();
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        String secret = HexFormat.of().formatHex(random);
        String name = "launch-" + ProcessHandle.current().pid();
        // ::1 where IPv6 is preferred
        InetAddress loopback = InetAddress.getLoopbackAddress();
        InetSocketAddress address = here ? new InetSocketAddress(loopback, plan.port())
                : new InetSocketAddress(plan.port());
        // SIGINT, SIGTERM and SIGHUP end this JVM, and with it the processes
        Runtime.getRuntime().addShutdownHook(new Thread(this::endAll));
        try (Server server = Server.start(address, plan.size(), secret, name)) {
            String host = here ? loopback.getHostAddress() : plan.address().isEmpty() ? Hosts.mine() : plan.address();
            for (int rank = 0; rank < plan.size(); rank++) {
                start(rank, Target.text(host, server.port()), secret);
            }
            return await(server);
        } catch (BindException e) {
            System.err.println("launch: the rendezvous cannot have port " + plan.port() + ": " + e.getMessage()
                    + "; without --port it takes any that is free");
            return CANNOT_RUN;
        } catch (IOException e) {
            // the hook ends those that have been started
            System.err.println("launch: " + e.getMessage());
            return CANNOT_RUN;
        }
    }

    /** Either the hook sees it, or it is not started. */
    private synchronized void start(int rank, String rendezvous, String secret) throws IOException {
        if (!ending) {
            ranks.add(Rank.start(plan, rank, rendezvous, secret, ends));
        }
    }

    private int await(Server server) throws InterruptedException {
        int status = 0;
        for (int i = 0; i < plan.size(); i++) {
            Rank end = ends.take();
            int code = end.exitCode();
            if (ending) {
                continue;
            }
            if (code == 0) {
                // no failure of its own, but one for those who wait for it to join
                server.ended(end.number(), end.host(), "it has ended with status 0 before all had joined");
                continue;
            }
            boolean signal = code > SIGNALS && code <= SIGNALS + LAST_SIGNAL;
            String reason = "it has ended with " + (signal ? "signal " + (code - SIGNALS) : "status " + code);
            System.err.println("launch: rank " + end.number() + " on " + end.host() + ": " + reason);
            server.failed(end.number(), end.host(), reason);
            boolean isFirst = status == 0;
            status = isFirst ? code : status;
            if (isFirst && !plan.keepGoing()) {
                // their own message, which names the lost rank, is better than a signal
                Thread.ofVirtual().start(this::endAllSoon);
            }
        }
        drain(ranks, true);
        return status;
    }

    /**
     * All have ended. One deadline for all of them, and for both who come here: the end, which waits for who reads what
     * is printed, and the hook of a signal, which does not.
     */
    private void drain(List<Rank> all, boolean patient) {
        Deadline deadline;
        synchronized (ends) {
            drained = drained == null ? Deadline.in(DRAIN) : drained;
            deadline = drained;
        }
        all.forEach(rank -> rank.drain(deadline, patient));
    }

    private void endAllSoon() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            // then at once
        }
        endAll();
    }

    private synchronized void endAll() {
        ending = true;
        List<Rank> all = List.copyOf(ranks);
        all.forEach(Rank::terminate);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
        for (Rank rank : all) {
            rank.awaitOrKill(end - System.nanoTime());
        }
        drain(all, false);
    }
}
