// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.internal.quirk.shm.LockRescue;
import io.jfabric.internal.quirk.shm.RegionBuffers;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Leftovers;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends to two processes, of which one takes nothing: see {@link DeadAnswersTest}. */
final class DeadAnswers {
    private static final int SIZE = 8192;
    /** More than the provider has under way at a time. */
    private static final int MANY = 2500;
    private static final int TAG = 1;
    /** In the region of 1.17. */
    private static final int LOCK = 24;
    private static final HexFormat HEX = HexFormat.of();

    private DeadAnswers() {
    }

    public static void main(String[] args) throws Exception {
        try {
            run(args);
        } finally {
            // killed peers leave theirs
            Leftovers.removeFiles(name(""));
        }
    }

    private static void run(String[] args) throws Exception {
        switch (args[0]) {
            case "peer" -> peer(args);
            case "killed" -> killed(Integer.parseInt(args[1]), false);
            case "restarted" -> killed(1, true);
            case "again" -> again();
            case "posted" -> posted();
            case "atomics" -> atomics();
            case "buffer" -> buffer();
            default -> stopped();
        }
        System.out.println("SURVIVED");
    }

    /** Takes all, or nothing before it is told to. */
    private static void peer(String[] args) throws IOException {
        try (Node node = KeepAliveChild.open("shm", args[1])) {
            if (args[2].equals("takes")) {
                take(node);
            }
            System.out.println("at " + HEX.formatHex(node.address().bytes()));
            while (System.in.read() >= 0) {
                take(node);
            }
        }
    }

    private static void take(Node node) {
        AtomicInteger taken = new AtomicInteger();
        for (int i = 0; i < 64; i++) {
            again(node, node.allocate(SIZE), taken);
        }
    }

    private static void again(Node node, MemorySegment into, AtomicInteger taken) {
        node.receive(into, TAG).whenComplete((received, why) -> {
            if (why == null) {
                if (taken.incrementAndGet() % 512 == 0) {
                    System.out.println("taken " + taken);
                }
                again(node, into, taken);
            }
        });
    }

    private static ChildJvm start(String name, String how) {
        return ChildJvm.of(DeadAnswers.class, "peer", name, how).start();
    }

    private static byte[] address(ChildJvm peer) {
        return HEX.parseHex(peer.awaitLine(line -> line.startsWith("at ")).substring(3));
    }

    private static String name(String which) {
        return "dead-answers-" + ProcessHandle.current().pid() + which;
    }

    private static void killed(int unread, boolean startAgain) throws Exception {
        try (Node node = KeepAliveChild.open("shm", null);
             ChildJvm bad = start(name("bad"), "waits");
             ChildJvm good = start(name("good"), "takes")) {
            Peer toGood = node.peer(address(good));
            Peer toBad = node.peer(address(bad));
            MemorySegment buffer = node.allocate(SIZE);
            node.send(buffer, toGood, TAG).get(10, TimeUnit.SECONDS);
            node.send(node.allocate(8), toBad, TAG).get(10, TimeUnit.SECONDS);
            List<CompletableFuture<Void>> lost = sends(node, toBad, node.allocate(SIZE), unread);
            bad.kill();
            bad.await();
            if (startAgain) {
                lockedOnceFree();
            }
            try (ChildJvm again = startAgain ? start(name("bad"), "takes") : null) {
                if (again != null) {
                    address(again);
                }
                all(sends(node, toGood, buffer, MANY), 15, "to the one that takes them");
                FabricException why = failure(lost.getFirst());
                System.out.println("lost: " + why.getMessage());
                good.awaitLine(line -> line.equals("taken " + MANY / 512 * 512));
                toBad.close();
                for (CompletableFuture<Void> one : lost) {
                    failure(one);
                }
            }
        }
    }

    /** One process after the other in the same place, as the name is inserted before the next one has it. */
    private static void again() throws Exception {
        try (Node node = KeepAliveChild.open("shm", null);
             ChildJvm good = start(name("good"), "takes")) {
            Peer toGood = node.peer(address(good));
            MemorySegment buffer = node.allocate(SIZE);
            Peer toBad = null;
            for (int i = 0; i < 3; i++) {
                try (ChildJvm bad = start(name("bad"), "waits")) {
                    byte[] address = address(bad);
                    toBad = toBad == null ? node.peer(address) : toBad;
                    node.send(node.allocate(8), toBad, TAG).get(10, TimeUnit.SECONDS);
                    // a process that was not seen alive may be anybody's: it is looked for ten times a second
                    TimeUnit.SECONDS.sleep(1);
                    List<CompletableFuture<Void>> lost = sends(node, toBad, node.allocate(SIZE), 3);
                    bad.kill();
                    bad.await();
                    all(sends(node, toGood, buffer, 10), 10, "to the one that takes them, after death " + i);
                    for (CompletableFuture<Void> one : lost) {
                        System.out.println("lost: " + failure(one).getMessage());
                    }
                    toBad.close();
                    toBad = node.peer(address);
                }
            }
        }
    }

    /** Its results go through the region of the receiver: some are asked for before it dies, some afterwards. */
    private static void atomics() throws Exception {
        try (Hints hints = Hints.rdm().provider("shm").addCapabilities(Capability.ATOMIC);
             Node node = Node.open(hints);
             MemoryRegion any = node.register(node.allocate(8), MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
             ChildJvm bad = start(name("bad"), "waits");
             ChildJvm good = start(name("good"), "takes")) {
            Peer toGood = node.peer(address(good));
            Peer toBad = node.peer(address(bad));
            MemorySegment buffer = node.allocate(SIZE);
            node.send(buffer, toGood, TAG).get(10, TimeUnit.SECONDS);
            node.send(node.allocate(8), toBad, TAG).get(10, TimeUnit.SECONDS);
            bad.stop();
            List<CompletableFuture<?>> lost = new ArrayList<>();
            lost.add(node.fetchAndAdd(toBad, any.remote(), 0, 1));
            bad.kill();
            bad.await();
            lost.add(node.compareAndSwap(toBad, any.remote(), 0, 1, 2));
            lost.add(node.send(buffer, toBad, TAG));
            lost.add(node.fetchAndAdd(toBad, any.remote(), 0, 1));
            all(sends(node, toGood, buffer, MANY), 15, "to the one that takes them");
            for (CompletableFuture<?> one : lost) {
                System.out.println("lost: " + failure(one).getMessage());
            }
        }
    }

    /** That of an atomic with a result stays with the dead: the region it is in may be a successor's by then. */
    private static void buffer() throws Exception {
        try (Hints hints = Hints.rdm().provider("shm").addCapabilities(Capability.ATOMIC);
             Node node = Node.open(hints);
             MemoryRegion any = node.register(node.allocate(8), MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
             ChildJvm bad = start(name("bad"), "waits")) {
            Peer toBad = node.peer(address(bad));
            node.send(node.allocate(8), toBad, TAG).get(10, TimeUnit.SECONDS);
            bad.stop();
            String all = RegionBuffers.free(region());
            CompletableFuture<Long> lost = node.fetchAndAdd(toBad, any.remote(), 0, 1);
            Waits.until("it has a buffer", () -> !isFree(all));
            bad.kill();
            bad.await();
            System.out.println("lost: " + failure(lost).getMessage());
            if (isFree(all)) {
                throw new AssertionError("the buffer was given back");
            }
        }
    }

    private static boolean isFree(String all) {
        try {
            return RegionBuffers.free(region()).equals(all);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Path region() {
        return Path.of("/dev/shm", name("bad") + ":0:0");
    }

    /**
     * As if it had died inside its own lock. On libfabric 1.17 nothing is answered for it before that is free, nor once
     * another process has the name.
     */
    private static void lockedOnceFree() throws Exception {
        Path region = region();
        if (Fabric.version().compareTo(new Version(1, 18)) < 0) {
            try (RandomAccessFile file = new RandomAccessFile(region.toFile(), "rw")) {
                file.seek(LOCK);
                file.writeInt(0);
            }
            long start = System.nanoTime();
            Waits.until("its lock is freed", () -> !LockRescue.isHeld(region));
            System.out.println("freed after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
        }
    }

    private static List<CompletableFuture<Void>> sends(Node node, Peer to, MemorySegment buffer, int number) {
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            sent.add(node.send(buffer, to, TAG));
        }
        return sent;
    }

    private static void all(List<CompletableFuture<Void>> sent, int seconds, String which) throws Exception {
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(done(sent) + " of " + sent.size() + " messages " + which + " are done", e);
        }
    }

    private static long done(List<CompletableFuture<Void>> sent) {
        return sent.stream().filter(CompletableFuture::isDone).count();
    }

    private static FabricException failure(CompletableFuture<?> sent) throws Exception {
        try {
            sent.orTimeout(10, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof FabricException why) {
                return why;
            }
            throw new AssertionError("the message of a dead process is still under way", e);
        }
        throw new AssertionError("a message that nobody has taken is done");
    }

    /** The same with an endpoint of level 1. */
    private static void posted() {
        try (Pair pair = Pair.open(Providers.SHM);
             ChildJvm bad = start(name("bad"), "waits");
             ChildJvm good = start(name("good"), "takes")) {
            long toBad = pair.a.addresses.insert(address(bad));
            long toGood = pair.a.addresses.insert(address(good));
            MemorySegment buffer = Arena.ofAuto().allocate(SIZE);
            pair.post(() -> pair.a.endpoint.tagged().send(buffer, toGood, TAG, 1));
            pair.await(pair.a, 1);
            pair.post(() -> pair.a.endpoint.tagged().send(buffer, toBad, TAG, 2));
            bad.kill();
            bad.await();
            for (int i = 0; i < MANY; i++) {
                int context = 1000 + i;
                pair.post(() -> pair.a.endpoint.tagged().send(buffer, toGood, TAG, context));
            }
            System.out.println("lost: " + pair.awaitError(pair.a, 2));
            pair.await(pair.a, 1000 + MANY - 1);
        }
    }

    /** It may read them yet, so they are its own; and as there is one queue, all others wait. */
    private static void stopped() throws Exception {
        try (Node node = KeepAliveChild.open("shm", null);
             ChildJvm slow = start(name("slow"), "waits");
             ChildJvm good = start(name("good"), "takes")) {
            Peer toGood = node.peer(address(good));
            MemorySegment buffer = node.allocate(SIZE);
            CompletableFuture<Void> first = node.send(buffer, node.peer(address(slow)), TAG);
            node.send(node.allocate(8), toGood, TAG).get(10, TimeUnit.SECONDS);
            List<CompletableFuture<Void>> sent = sends(node, toGood, buffer, MANY);
            good.awaitLine(line -> line.equals("taken 512"));
            slow.stop();
            // as long as it takes to find out that one is dead
            TimeUnit.SECONDS.sleep(1);
            System.out.println("held up: " + (MANY - done(sent)) + ", " + first.state());
            slow.resume();
            slow.tell("take them");
            first.get(10, TimeUnit.SECONDS);
            all(sent, 15, "to the one that takes them");
        }
    }
}
