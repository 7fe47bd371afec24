// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A connection to a {@link Peer}: one that is running somewhere, or a child process of this one. */
final class PeerLink implements AutoCloseable {
    final Port port;
    /** The peer's memory; null unless it shall be accessed. */
    final RemoteRegion remote;
    private final Process child;
    private final Socket socket;

    /** The peer is HOST:PORT, or empty for a child process. */
    PeerLink(String provider, String node, String peer, long bytes, Capability... capabilities) throws IOException {
        String where = peer;
        if (where.isEmpty()) {
            child = start();
            String line = child.inputReader().readLine();
            if (line == null) {
                throw new IOException("the peer did not start");
            }
            where = "127.0.0.1:" + line.substring(line.lastIndexOf(' ') + 1);
        } else {
            child = null;
        }
        int colon = where.lastIndexOf(':');
        socket = new Socket(where.substring(0, colon), Integer.parseInt(where.substring(colon + 1)));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        port = new Port(provider, node, bytes, capabilities);
        out.writeUTF(provider);
        out.writeUTF(node);
        out.writeInt(capabilities.length);
        for (Capability capability : capabilities) {
            out.writeUTF(capability.name());
        }
        out.writeLong(bytes);
        port.connect(in.readNBytes(in.readInt()));
        byte[] region = in.readNBytes(in.readInt());
        remote = region.length == 0 ? null : RemoteRegion.of(region);
        Peer.write(out, port.name());
        in.readByte();
    }

    private static Process start() throws IOException {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-X") || flag.startsWith("--enable-native"))
                .filter(flag -> !flag.startsWith("-XX:CompileCommandFile") && !flag.startsWith("-Xlog")
                        && !flag.contains("Blackhole"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Peer.class.getName(), "127.0.0.1", "0"));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @Override
    public void close() throws IOException {
        port.close();
        socket.close();
        if (child != null) {
            child.destroy();
        }
    }
}
