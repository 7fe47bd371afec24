// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Hints;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Two processes greet each other, each with a node. Look at {@link #exchange}: how processes learn each other's address
 * is up to them, here over a plain socket. And look at the end: a node is closed only when the peer has what was sent.
 *
 * <p>Usage: HelloNode server [PROVIDER], then in another terminal HelloNode client PORT [PROVIDER]
 */
public final class HelloNode {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long GREETING = 1;

    private HelloNode() {
    }

    /** Takes the role and a provider. */
    public static void main(String[] args) throws IOException {
        boolean client = args.length > 1 && args[0].equals("client") && args[1].matches("\\d+");
        if (!client && (args.length == 0 || !args[0].equals("server"))) {
            System.err.println("Usage: HelloNode server [PROVIDER], or HelloNode client PORT [PROVIDER]");
            System.exit(2);
        }
        int provider = client ? 2 : 1;
        try (Socket socket = client ? new Socket("localhost", Integer.parseInt(args[1])) : accept();
                Hints hints = Hints.rdm().provider(args.length > provider ? args[provider] : "shm");
                Node node = Node.open(hints)) {
            MemorySegment inbox = node.allocate(256);
            CompletableFuture<Received> greeting = node.receive(inbox, GREETING);

            Peer peer = node.peer(exchange(socket, node.address().bytes()));
            String text = "greetings from process " + ProcessHandle.current().pid();
            node.send(node.memory().allocateFrom(text), peer, GREETING).join();

            Received received = node.await(greeting, PATIENCE);
            // also says that each has what the other has sent
            String sent = new String(exchange(socket, text.getBytes()));
            Expect.same("the greeting", sent, inbox.getString(0));
            System.out.println("received " + received.length() + " bytes: " + sent);
        }
    }

    private static Socket accept() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            System.out.println("listening: client " + listener.getLocalPort());
            return listener.accept();
        }
    }

    /** Gives some bytes to the peer and takes the peer's. */
    private static byte[] exchange(Socket socket, byte[] mine) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(mine.length);
        out.write(mine);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        return in.readNBytes(in.readInt());
    }
}
