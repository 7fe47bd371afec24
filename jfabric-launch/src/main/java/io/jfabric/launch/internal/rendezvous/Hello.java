// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.regex.Pattern;

/** Who a process says it is. The rank is -1 where the server shall choose; times are in milliseconds. */
record Hello(int size, int rank, String host, long pid, long deadline, int liveness) {
    private static final int LONGEST_HOST = 255;
    private static final Pattern HOST = Pattern.compile("\\p{Graph}{0," + LONGEST_HOST + "}");

    static Hello read(DataInputStream in) throws IOException {
        Hello hello = new Hello(in.readInt(), in.readInt(), in.readUTF(), in.readLong(), in.readLong(), in.readInt());
        if (hello.size < 1 || hello.size > Server.MOST_RANKS || hello.rank < -1 || hello.rank >= hello.size
                || hello.deadline < 0 || hello.liveness < 1000) {
            throw new ProtocolException("no such process: rank " + hello.rank + " of " + hello.size + ", deadline "
                    + hello.deadline + " ms, liveness " + hello.liveness + " ms");
        }
        // it is for logs and exceptions
        if (!HOST.matcher(hello.host).matches()) {
            throw new ProtocolException("its host name is too long or contains invalid characters");
        }
        return hello;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(size);
        out.writeInt(rank);
        out.writeUTF(host.length() > LONGEST_HOST ? host.substring(0, LONGEST_HOST) : host);
        out.writeLong(pid);
        out.writeLong(deadline);
        out.writeInt(liveness);
    }

    String who() {
        return (rank < 0 ? "a process" : "rank " + rank) + " on " + host + " (pid " + pid + ")";
    }
}
