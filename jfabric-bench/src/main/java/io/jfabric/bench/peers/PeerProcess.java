// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.bench.vsc.Control;
import io.jfabric.bench.vsc.Pin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** One of the two processes that exchange messages. Ends when its standard input does, so none outlives its parent. */
public final class PeerProcess {
    private static final int OTHERS_SHARE = 4;
    /** From here on messages take another way: more than providers inject, and more than a short call. */
    private static final int[] OTHER_WAYS = {256, 1 << 14};

    private PeerProcess() {
    }

    /**
     * Measures.
     *
     * @param args peer, host:port of the server or - to be it, directory, CPU, milliseconds to warm up,
     *     milliseconds to measure, sizes
     * @throws Exception if the peer does not work here
     */
    public static void main(String[] args) throws Exception {
        Thread.ofPlatform().daemon().start(PeerProcess::endWithParent);
        int i = 0;
        Peer peer = Peer.valueOf(args[i++]);
        String server = args[i++];
        Path directory = Path.of(args[i++]);
        int cpu = Integer.parseInt(args[i++]);
        long warmup = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[i++]));
        long measure = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[i++]));
        int[] sizes = Arrays.stream(args, i, args.length).mapToInt(Integer::parseInt).toArray();
        int largest = Arrays.stream(sizes).max().orElseThrow();
        boolean serves = server.equals("-");
        try (Control control = new Control(serves ? null : server);
                Link link = peer.opener.open(new Meeting(serves, control, directory, largest))) {
            // not before: threads that a link has started, such as Aeron's driver, would be on this CPU, too
            Pin.toCpu(cpu);
            PingPong work = new PingPong(control, link);
            if (serves) {
                work.serve();
            } else {
                for (int n = 0; n < sizes.length; n++) {
                    // the first of its way has warmed up most of what the others use
                    boolean first = n == 0 || takesOtherWay(sizes[n - 1], sizes[n]);
                    work.measure(sizes[n], first ? warmup : warmup / OTHERS_SHARE, measure);
                }
                work.end();
            }
            control.barrier();
        }
    }

    private static boolean takesOtherWay(int before, int bytes) {
        return Arrays.stream(OTHER_WAYS).anyMatch(limit -> before < limit && bytes >= limit);
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            // the parent is gone, too
        }
        Runtime.getRuntime().halt(1);
    }
}
