// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Version;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** A client dies inside the server's lock, see {@link ShmLockTest}. */
final class ShmLock {
    private static final HexFormat HEX = HexFormat.of();
    /** Whether it is held while a message is copied: since 1.18 it is for some instructions at a time. */
    private static final boolean IS_HELD_LONG = isBefore(1, 18);
    /** Of {@code struct smr_region}; on x86 1 is free. */
    private static final long LOCK = isBefore(1, 20) ? 24 : isBefore(1, 21) || !isBefore(2, 6) ? 64 : 56;
    /** Whether what it protects is of no use to others once somebody has died inside. */
    private static final boolean BREAKS = isBefore(2, 5);

    private ShmLock() {
    }

    private static boolean isBefore(int major, int minor) {
        return Fabric.version().compareTo(new Version(major, minor)) < 0;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "client" -> client(args);
            case "target" -> target();
            case "sender" -> sender();
            case "bystander" -> bystander(args);
            case "idle" -> idle();
            default -> server();
        }
    }

    /** Is there, and polls. */
    private static void target() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            System.out.println("AT " + HEX.formatHex(pair.a.endpoint.address().bytes()));
            while (true) {
                pair.progress();
            }
        }
    }

    /** Sends to one that is killed, as if inside its own lock: the lock is taken while it is stopped outside of it. */
    private static void sender() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM);
             ChildJvm target = ChildJvm.of(ShmLock.class, "target").start()) {
            byte[] at = HEX.parseHex(target.awaitLine(line -> line.startsWith("AT ")).substring(3));
            long peer = pair.a.addresses.insert(at);
            // too long for the command itself: since 1.18 only the buffers need the lock
            MemorySegment out = Arena.ofAuto().allocate(1024);
            pair.post(() -> pair.a.endpoint.messages().inject(out, peer));
            String name = new String(at, 0, at.length - 1, StandardCharsets.US_ASCII).replaceAll(".*://", "");
            try (RandomAccessFile region = new RandomAccessFile(Path.of("/dev/shm", name).toFile(), "rw")) {
                dieAsIfInside(target, region);
            }
            long start = System.nanoTime();
            pair.a.endpoint.messages().inject(out, peer);
            System.out.println("returned after " + (System.nanoTime() - start) / 1_000_000 + " ms");
            // its own endpoint is as good as before
            pair.connect();
        }
        System.out.println("SURVIVED");
    }

    private static void dieAsIfInside(ChildJvm child, RandomAccessFile region) throws Exception {
        while (!isStoppedOutside(child, region)) {
            signal(child.pid(), "CONT");
        }
        region.seek(LOCK);
        region.writeInt(0);
        signal(child.pid(), "KILL");
        child.await();
    }

    private static boolean isStoppedOutside(ChildJvm child, RandomAccessFile region) throws Exception {
        signal(child.pid(), "STOP");
        while (!hasStopped(child.pid())) {
            Thread.sleep(2);
        }
        region.seek(LOCK);
        return Integer.reverseBytes(region.readInt()) > 0;
    }

    /** Sends without end. */
    private static void client(String[] args) {
        try (Pair pair = Pair.open(Providers.SHM)) {
            long peer = pair.a.addresses.insert(HEX.parseHex(args[1]));
            MemorySegment out = Arena.ofAuto().allocate(4096);
            pair.post(() -> pair.a.endpoint.messages().send(out, peer, 1));
            System.out.println("sending");
            while (true) {
                pair.a.endpoint.messages().inject(out, peer);
                pair.a.poll();
                pair.a.done().clear();
            }
        }
    }

    /** Sends when told to. */
    private static void bystander(String[] args) throws IOException {
        try (Pair pair = Pair.open(Providers.SHM)) {
            long peer = pair.a.addresses.insert(HEX.parseHex(args[1]));
            MemorySegment out = Arena.ofAuto().allocate(4096);
            pair.post(() -> pair.a.endpoint.messages().inject(out, peer));
            System.out.println("ready");
            System.in.read();
            pair.a.endpoint.messages().inject(out, peer);
            System.out.println("returned");
        }
    }

    /** Whose polls find nothing to do, and so do not come to the lock: those who send to it do. */
    private static void idle() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM)) {
            byte[] at = pair.b.endpoint.address().bytes();
            String name = pair.b.endpoint.address().toText().replaceAll(".*://", "");
            try (ChildJvm living = ChildJvm.of(ShmLock.class, "bystander", HEX.formatHex(at)).start();
                 ChildJvm dead = ChildJvm.of(ShmLock.class, "bystander", HEX.formatHex(at)).start();
                 RandomAccessFile region = new RandomAccessFile(Path.of("/dev/shm", name).toFile(), "rw")) {
                MemorySegment in = Arena.ofAuto().allocate(4096);
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2));
                pair.until("both have sent", () -> pair.b.done().size() == 2
                        && living.output().contains("ready") && dead.output().contains("ready"));
                dieAsIfInside(dead, region);
                living.tell("");
                if (BREAKS) {
                    pollUntilBroken(pair);
                    refused(pair.b::poll, dead.pid());
                    living.awaitLine("returned"::equals);
                } else {
                    pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 3));
                    pair.await(pair.b, 3);
                }
            }
        }
        System.out.println("SURVIVED");
    }

    private static void signal(long pid, String name) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).inheritIO().start().waitFor();
    }

    /** Polls only between the looks, so that a lock that is held while the client is stopped is held by the client. */
    private static void server() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM)) {
            String name = pair.b.endpoint.address().toText().replaceAll(".*://", "");
            try (ChildJvm client = ChildJvm.of(ShmLock.class, "client",
                         HEX.formatHex(pair.b.endpoint.address().bytes())).start();
                 RandomAccessFile region = new RandomAccessFile(Path.of("/dev/shm", name).toFile(), "rw")) {
                MemorySegment in = Arena.ofAuto().allocate(4096);
                pair.until("it sends", () -> {
                    pair.b.endpoint.messages().receive(in, Address.ANY, 2);
                    pair.b.done().clear();
                    return client.output().contains("sending");
                });
                int tries = 0;
                if (!BREAKS) {
                    dieAsIfInside(client, region);
                    System.out.println("the client died inside the lock");
                    // what it has sent is still there, and after that the buffers serve others
                    pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 3, 0, 3));
                    pair.post(() -> pair.a.endpoint.tagged().send(in, pair.a.peer, 3, 4));
                    pair.await(pair.a, 4);
                    pair.await(pair.b, 3);
                    System.out.println("SURVIVED");
                    return;
                }
                while (!diesInside(client, region)) {
                    tries++;
                    for (int i = 0; i < 300; i++) {
                        pair.b.poll();
                        pair.b.done().clear();
                        pair.b.endpoint.messages().receive(in, Address.ANY, 2);
                    }
                }
                System.out.println("the client died inside the lock, stopped " + tries + " times before");
                pollUntilBroken(pair);
                refused(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2), client.pid());
                refused(() -> pair.b.endpoint.messages().inject(in, pair.b.peer), client.pid());
                refused(pair.b::poll, client.pid());
                // the other endpoint is none of its business
                pair.a.poll();
            }
        }
        System.out.println("SURVIVED");
    }

    private static void pollUntilBroken(Pair pair) {
        long start = System.nanoTime();
        FabricException broken = null;
        while (broken == null && System.nanoTime() - start < 20_000_000_000L) {
            try {
                pair.b.poll();
            } catch (FabricException e) {
                broken = e;
            }
        }
        System.out.println((System.nanoTime() - start) / 1_000_000 + " ms later: " + broken);
    }

    private static void refused(Runnable use, long pid) {
        try {
            use.run();
        } catch (FabricException e) {
            if (e.getMessage().contains("process " + pid) && e.getMessage().contains("died")) {
                return;
            }
            throw e;
        }
        throw new AssertionError("the endpoint is broken, but was used");
    }

    /** Whether all its threads have: one that has not been running since may still be on its way. */
    private static boolean hasStopped(long pid) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    /** Stops the client somewhere; kills it if that was inside the lock. Where it hardly ever is, takes it for it. */
    private static boolean diesInside(ChildJvm client, RandomAccessFile region) throws Exception {
        if (!IS_HELD_LONG) {
            // until there are messages whose buffers need the lock
            Thread.sleep(100);
            dieAsIfInside(client, region);
            return true;
        }
        if (isStoppedOutside(client, region)) {
            signal(client.pid(), "CONT");
            return false;
        }
        signal(client.pid(), "KILL");
        client.await();
        return true;
    }
}
