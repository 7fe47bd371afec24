// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a process is told when all are there. */
record Welcome(int rank, String name, List<String> hosts) {
    static Welcome read(DataInputStream in) throws IOException {
        int rank = in.readInt();
        String name = in.readUTF();
        int size = in.readInt();
        if (size < 1 || size > Server.MOST_RANKS || rank < 0 || rank >= size) {
            throw new ProtocolException("a job of " + size + " with a rank " + rank);
        }
        List<String> hosts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            hosts.add(in.readUTF());
        }
        return new Welcome(rank, name, hosts);
    }

    /** All but the rank, which is before it. */
    static void write(DataOutputStream out, String name, List<String> hosts) throws IOException {
        out.writeUTF(name);
        out.writeInt(hosts.size());
        for (String host : hosts) {
            out.writeUTF(host);
        }
    }
}
