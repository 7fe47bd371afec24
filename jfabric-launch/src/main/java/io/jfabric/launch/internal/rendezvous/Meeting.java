// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.LostRank;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Hosts;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Arrays;

/** The first words with the server. */
final class Meeting {
    private static final int PAUSE_MILLIS = 50;
    private static final int CONNECT_MILLIS = 3000;

    private Meeting() {
    }

    /** Says hello, again if the server has lost its patience: many ranks on few cores need long to say it. */
    static Line meet(Target target, JobOptions options, Deadline deadline) throws IOException {
        while (true) {
            try {
                return meetOnce(target, options, deadline);
            } catch (EOFException | SocketException e) {
                if (deadline.passed()) {
                    throw new JobException("join: the server at " + target + " has ended each greeting within "
                            + deadline + " (" + (e.getMessage() == null ? "it has hung up" : e.getMessage()) + ")", e);
                }
            }
            pause(deadline);
        }
    }

    private static Line meetOnce(Target target, JobOptions options, Deadline deadline) throws IOException {
        Line line = connect(target, deadline);
        boolean met = false;
        try {
            line.within(deadline);
            hello(line, target, options, deadline);
            met = true;
            return line;
        } catch (SocketTimeoutException e) {
            throw new JobException("join: what listens at " + target + " has not answered within " + deadline, e);
        } finally {
            if (!met) {
                line.close();
            }
        }
    }

    private static void pause(Deadline deadline) {
        try {
            deadline.pause(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobException("join: interrupted", e);
        }
    }

    /** Again and again, as the server may not be there yet, nor its name. */
    private static Line connect(Target target, Deadline deadline) throws IOException {
        while (true) {
            Socket socket = new Socket();
            try {
                InetSocketAddress address = new InetSocketAddress(target.host(), target.port());
                if (address.isUnresolved()) {
                    throw new UnknownHostException("nobody knows a host " + target.host());
                }
                socket.connect(address, Math.clamp(deadline.millis(), 1, CONNECT_MILLIS));
                if (socket.getLocalPort() == socket.getPort()
                        && socket.getLocalAddress().equals(socket.getInetAddress())) {
                    throw new IOException("the socket has connected to itself");
                }
                return new Line(socket);
            } catch (IOException e) {
                socket.close();
                if (deadline.passed()) {
                    throw new JobException("join: no rendezvous server at " + target + " within " + deadline + " ("
                            + e.getMessage() + "): does " + (target.servedByRank0() ? "rank 0" : "the server")
                            + " run, and is " + Target.RENDEZVOUS + " right?" + whoServes(target), e);
                }
            }
            pause(deadline);
        }
    }

    /** Processes none of which has a rank would all wait for rank 0. */
    private static String whoServes(Target target) {
        return target.rank() >= 0 || !target.servedByRank0() ? "" : " No rank is set here: one process must have "
                + Target.RANK + "=0; if another process serves, set " + Target.SERVER + "=" + Target.APART;
    }

    private static void hello(Line line, Target target, JobOptions options, Deadline deadline) throws IOException {
        byte[] magic = line.in.readNBytes(Frame.MAGIC.length);
        if (magic.length < Frame.MAGIC.length) {
            throw new EOFException("it has hung up before a word");
        }
        if (!Arrays.equals(magic, Frame.MAGIC)) {
            throw new JobException("join: what listens at " + target + " is not a rendezvous server of jfabric");
        }
        byte[] theirs = Frame.read(line.in, Frame.HELLO_LIMIT).expect(Frame.CHALLENGE).body();
        byte[] mine = Secret.nonce();
        Secret secret = new Secret(target.secret());
        int liveness = (int) options.liveness().toMillis();
        Hello hello = new Hello(target.size(), target.rank(), Hosts.mine(), ProcessHandle.current().pid(),
                deadline.millis(), liveness);
        byte[] body = Frame.bytes(hello::write);
        line.greet(Frame.of(Frame.HELLO, out -> {
            out.write(mine);
            out.write(secret.proof("client", theirs, mine, body));
            out.write(body);
        }));
        Frame answer = Frame.read(line.in, Frame.MEMBER_LIMIT);
        if (answer.type() == Frame.REFUSED) {
            // nothing that it says is taken up before it has proved the secret
            throw new JobException("join: the server at " + target + " says that " + hello.who()
                    + " has another secret than the job: is " + Target.SECRET + " the same everywhere?");
        }
        if (!secret.proves(answer.expect(Frame.CHALLENGE).body(), "server", mine, theirs)) {
            throw new JobException("join: the server at " + target + " does not know the secret of this rank: is "
                    + Target.SECRET + " the same everywhere?");
        }
        // no virtual ones, which a program that computes in virtual threads would keep from pinging
        line.start(Thread.ofPlatform().daemon().name("jfabric-job-out"), liveness);
    }

    /** Waits until all are there. */
    static Welcome welcome(Line line, Target target, Deadline deadline) throws IOException {
        line.within(deadline);
        while (true) {
            try {
                Frame frame = Frame.read(line.in, Frame.SERVER_LIMIT);
                switch (frame.type()) {
                    case Frame.PING -> { }
                    case Frame.WELCOME -> {
                        return frame.parse(Welcome::read);
                    }
                    case Frame.REFUSED -> refused(frame);
                    default -> throw new ProtocolException("the server has sent a frame of type " + frame.type());
                }
            } catch (SocketTimeoutException e) {
                throw new JobException("join: the rendezvous server at " + target + " has not answered within "
                        + deadline, e);
            } catch (EOFException | SocketException e) {
                String host = target.servedByRank0() ? target.host() : target.toString();
                LostRank gone = new LostRank(target.servedByRank0() ? 0 : -1, host, "the connection is lost");
                throw new JobException("join: the rendezvous server at " + target + " is gone"
                        + (target.servedByRank0() ? ", and rank 0 on " + host + " with it" : ""), gone);
            }
        }
    }

    private static void refused(Frame frame) throws IOException {
        throw frame.parse(in -> new JobException("join: " + in.readUTF(), LostText.read(in)));
    }
}
