// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The socket over which two processes find each other; twin of control.c, which it can talk to. */
public final class Control implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    /** The server (peer null) listens on the loopback address, prints its port and takes one client. */
    public Control(String peer) throws IOException {
        if (peer == null) {
            try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                System.out.println("port " + listener.getLocalPort());
                socket = listener.accept();
            }
        } else {
            int colon = peer.lastIndexOf(':');
            socket = new Socket(peer.substring(0, colon), Integer.parseInt(peer.substring(colon + 1)));
        }
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    public void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    public byte[] receive(int size) throws IOException {
        byte[] bytes = new byte[size];
        in.readFully(bytes);
        return bytes;
    }

    /** The client's decision on another turn, which is the server's too. */
    void sendMore(boolean more) throws IOException {
        out.write(more ? 1 : 0);
    }

    boolean receiveMore() throws IOException {
        return in.readBoolean();
    }

    public void barrier() throws IOException {
        out.write(0);
        in.readByte();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
