// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.Job;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** An exchange of the longest values among ranks none of which reads: nothing leaves the server. */
public final class SlowReaders {
    private SlowReaders() {
    }

    /** Takes the number of ranks. */
    public static void main(String[] args) throws Exception {
        int size = Integer.parseInt(args[0]);
        Registry registry = new Registry(size, "slow");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            List<Member> members = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                // not started: it has nobody who writes
                members.add(registry.join(new Hello(size, rank, "host", rank, 60_000, 30_000), new Line(socket)));
            }
            for (Member member : members) {
                registry.fences().arrive(member, 0, 60_000, true, new byte[Job.LONGEST_VALUE]);
            }
            System.out.println("kept for " + members.size());
        } finally {
            registry.close();
        }
    }
}
