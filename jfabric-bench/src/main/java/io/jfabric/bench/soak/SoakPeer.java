// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import io.jfabric.RemoteRegion;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One of the processes: PROVIDER SECONDS WARM-UP-SECONDS. Tells the first process, on stdout, where it is, and is told
 * where its peer is; prints what it has done, and ends when it is told to.
 */
public final class SoakPeer {
    private final AtomicInteger errors = new AtomicInteger();

    private SoakPeer() {
    }

    /**
     * Runs one process.
     *
     * @param args provider, seconds, and of these how many for warming up
     */
    public static void main(String[] args) throws Exception {
        // not to go on without the first process
        ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime()
                .halt(2)));
        SoakPeer peer = new SoakPeer();
        try (Hints hints = Hints.rdm().provider(args[0])
                .capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA);
                Node node = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Traffic.PATIENCE))) {
            peer.run(node, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        }
        System.out.println("closed");
    }

    private void run(Node node, int seconds, int warmUp) throws Exception {
        MemorySegment text = node.allocate(Contents.textSize());
        Contents.write(text);
        MemorySegment shared = node.allocate((long) Traffic.RMA_LANES * Contents.LONGEST);
        RemoteRegion mine = node.register(shared, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).remote();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        HexFormat hex = HexFormat.of();
        try (Service _ = Service.open(node, Traffic.SERVICE, call -> call.answer(call.request()))) {
            System.out.println("here " + hex.formatHex(node.address().bytes()) + " " + hex.formatHex(mine.toBytes()));
            String[] other = in.readLine().split(" ");
            Traffic traffic = new Traffic(node, node.peer(hex.parseHex(other[0])),
                    RemoteRegion.of(hex.parseHex(other[1])), text);
            try (Caller caller = Caller.open(node.peer(hex.parseHex(other[0])), Traffic.SERVICE)) {
                List<Thread> threads = start(traffic, caller);
                measure(traffic, node, seconds, warmUp);
                for (Thread thread : threads) {
                    thread.join();
                }
                report(traffic, node);
                in.readLine();
            }
        }
    }

    private List<Thread> start(Traffic traffic, Caller caller) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Traffic.MESSAGE_LANES; i++) {
            int lane = i;
            threads.add(start(lane, () -> traffic.receive(lane)));
            threads.add(start(lane, () -> traffic.send(lane)));
        }
        for (int i = 0; i < Traffic.RMA_LANES; i++) {
            int lane = i;
            threads.add(start(lane, () -> traffic.write(lane)));
        }
        for (int i = 0; i < Traffic.CALL_LANES; i++) {
            int lane = i;
            threads.add(start(lane, () -> traffic.call(lane, caller)));
        }
        return threads;
    }

    /** A part of the traffic. */
    private interface Part {
        void run() throws Exception;
    }

    /** Threads of both kinds. */
    private Thread start(int lane, Part part) {
        Thread.Builder kind = lane == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        return kind.start(() -> {
            try {
                part.run();
            } catch (Throwable e) {
                errors.incrementAndGet();
                synchronized (System.err) {
                    e.printStackTrace();
                }
            }
        });
    }

    private static void measure(Traffic traffic, Node node, int seconds, int warmUp) throws Exception {
        long start = System.nanoTime();
        Thread.sleep(1000L * warmUp);
        Resources.baseline();
        System.out.println("warm " + Resources.shared() + " " + Resources.descriptors());
        Trend resident = new Trend();
        int second = 0;
        while (seconds - (System.nanoTime() - start) / 1e9 > 1) {
            resident.add((System.nanoTime() - start) / 1e9, Resources.resident());
            Thread.sleep(1000);
            if (second++ % 10 == 0) {
                System.out.println("sofar " + traffic.sent.operations() + " " + traffic.written.operations() + " "
                        + traffic.calls.operations());
            }
        }
        System.out.println("resident " + Math.round(resident.first()) + " " + Math.round(resident.last()));
        System.out.println("end " + Resources.shared() + " " + Resources.descriptors());
        System.out.println("grew " + Resources.difference());
        traffic.over.set(true);
    }

    private void report(Traffic traffic, Node node) {
        System.out.println("sent " + traffic.sent.operations() + " " + traffic.sent.bytes());
        System.out.println("received " + traffic.received.operations() + " " + traffic.received.bytes());
        System.out.println("rma " + traffic.written.operations() + " " + traffic.written.bytes());
        System.out.println("calls " + traffic.calls.operations() + " " + traffic.calls.bytes());
        System.out.println("errors " + errors + " " + node.waiting());
        System.out.println("done");
    }
}
