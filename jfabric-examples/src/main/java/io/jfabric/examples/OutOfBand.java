// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.Completion;
import io.jfabric.CompletionFlag;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;

/**
 * Talks to another process, whose address comes over a plain socket: out of band. Look at {@link #exchange}, since
 * libfabric leaves it to applications to tell each other their addresses, and at how this ends: a message that has
 * been sent is under way only as long as its endpoint is open and polled.
 *
 * <p>Usage: OutOfBand server [PROVIDER], or OutOfBand client HOST PORT [PROVIDER]
 */
public final class OutOfBand {
    private boolean sent;
    private boolean received;

    private OutOfBand() {
    }

    /** Takes the role and a provider. */
    public static void main(String[] args) throws IOException {
        boolean client = args.length > 2 && args[0].equals("client") && args[2].matches("\\d+");
        if (!client && (args.length == 0 || !args[0].equals("server"))) {
            System.err.println("Usage: OutOfBand server [PROVIDER], or OutOfBand client HOST PORT [PROVIDER]");
            System.exit(2);
        }
        int provider = client ? 3 : 1;
        try (Socket socket = client ? new Socket(args[1], Integer.parseInt(args[2])) : accept()) {
            new OutOfBand().talk(socket, args.length > provider ? args[provider] : "shm");
        }
    }

    /** Listens on this machine only; between two, bind the address of the network between them. */
    private static Socket accept() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            System.out.println("listening: client localhost " + listener.getLocalPort());
            return listener.accept();
        }
    }

    private void talk(Socket socket, String provider) throws IOException {
        // the interface that the socket uses is the one to use here as well; shm has none
        String local = provider.equals("shm") ? null : socket.getLocalAddress().getHostAddress();
        Set<GetInfoFlag> flags = local == null ? Set.of() : Set.of(GetInfoFlag.SOURCE);
        try (Hints hints = Hints.create()
                .provider(provider)
                .endpointType(EndpointType.RDM)
                .capabilities(Capability.MSG);
                FabricInfoList infos = Fabric.getInfo(local, null, flags, hints)) {
            FabricInfo info = infos.first();
            try (Fabric fabric = Fabric.open(info);
                    Domain domain = fabric.openDomain(info);
                    FabricArena arena = domain.openArena();
                    AddressVector peers = domain.openAddressVector();
                    CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                    Endpoint endpoint = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers)) {
                endpoint.enable();
                long peer = peers.insert(exchange(socket, endpoint.address().bytes()));
                MemorySegment out = arena.allocateFrom("greetings from process " + ProcessHandle.current().pid());
                MemorySegment in = arena.allocate(256);
                boolean heard = false;
                while (!endpoint.messages().receive(in, Address.ANY, 0)) {
                    queue.poll(this::completed, 1);
                    heard |= hears(socket);
                }
                // a provider may not take a message before it is connected, and never is if the other has gone
                while (!endpoint.messages().send(out, peer, 0)) {
                    queue.poll(this::completed, 1);
                    heard |= hears(socket);
                }
                // each says that it has what it waits for, and polls until the other has said so
                boolean said = false;
                while (!said || !heard) {
                    queue.poll(this::completed, 1);
                    if (!said && sent && received) {
                        System.out.println("received over " + info.provider() + ": " + in.getString(0));
                        socket.getOutputStream().write(1);
                        said = true;
                    }
                    heard |= hears(socket);
                }
            }
        }
    }

    /** Listens for a moment only, since the endpoint wants to be polled; fails if the other process has gone. */
    private static boolean hears(Socket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            if (socket.getInputStream().read() < 0) {
                throw new EOFException("the other process has gone");
            }
            return true;
        } catch (SocketTimeoutException nothingYet) {
            return false;
        }
    }

    /** Swaps addresses: bytes that only the provider understands. */
    private static byte[] exchange(Socket socket, byte[] ours) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(ours.length);
        out.write(ours);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        return in.readNBytes(in.readInt());
    }

    private void completed(Completion completion) {
        if (completion.is(CompletionFlag.RECV)) {
            received = true;
        } else {
            sent = true;
        }
    }
}
