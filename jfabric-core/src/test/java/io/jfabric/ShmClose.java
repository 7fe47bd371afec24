// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Closing and removing what others still use, each in a process of its own: see {@link ShmCloseTest}. */
final class ShmClose {
    private static final HexFormat HEX = HexFormat.of();
    private static final int LARGE = 100_000;

    private ShmClose() {
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "unread" -> unread();
            case "unreadOnBothSides" -> unreadOnBothSides();
            case "unreadOfAnother" -> unreadOfAnother();
            case "claimed" -> claimed();
            case "longerName" -> longerName();
            case "unanswered" -> unanswered();
            case "firstSend" -> firstSend();
            case "elsewhere" -> elsewhere(true, "known");
            case "elsewhereLater" -> elsewhere(false, "known");
            case "elsewhereUnknown" -> elsewhere(true, "unknown");
            case "sendOnce" -> sendOnce(args);
            case "removed" -> removed();
            case "sharedQueue" -> sharedQueue();
            case "directed" -> directed();
            case "fetching" -> fetching(true);
            case "fetchingUnreported" -> fetching(false);
            case "sent" -> sent();
            case "many" -> many();
            case "cycles" -> cycles(Integer.parseInt(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("SURVIVED");
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static MemorySegment filled(long size, int value) {
        return Arena.ofAuto().allocate(size, 8).fill((byte) value);
    }

    private static void unread() {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            MemorySegment out = filled(LARGE, 5);
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
            pair.a.endpoint.close();
            MemorySegment in = filled(LARGE, 0);
            pair.b.endpoint.messages().receive(in, Address.ANY, 2);
            for (int i = 0; i < 1000; i++) {
                pair.b.poll();
            }
            pair.await(pair.b, 2);
            check(in.mismatch(out) == -1, "the message");
        }
    }

    /** The memory is of a domain that such endpoints are not of. */
    private static void unreadOfAnother() {
        try (Pair other = Pair.open(Providers.RXM); Pair pair = Pair.open(Providers.SHM).connect()) {
            FabricArena arena = other.domain.openArena();
            MemorySegment out = arena.allocate(LARGE).fill((byte) 5);
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
            pair.a.endpoint.close();
            check(isRefused(arena), "the arena of a message that nobody has read was closed");
            MemorySegment in = filled(LARGE, 0);
            pair.b.endpoint.messages().receive(in, Address.ANY, 2);
            pair.await(pair.b, 2);
            arena.close();
        }
    }

    /** A message that was set aside is received, in parts. */
    private static void claimed() {
        try (Pair pair = Pair.open(Providers.SHM).connect();
             CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
             AddressVector addresses = pair.domain.openAddressVector();
             Endpoint sender = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                     .bind(addresses).enable()) {
            MemorySegment out = filled(100 * LARGE, 5);
            long peer = addresses.insert(pair.b.endpoint.address().bytes());
            pair.b.addresses.insert(sender.address().bytes());
            while (!sender.tagged().send(out, peer, 7, 1)) {
                queue.poll(completion -> { }, 1);
                pair.b.poll();
            }
            boolean found = false;
            while (!found) {
                pair.post(() -> pair.b.endpoint.tagged().peekAndClaim(Address.ANY, 7, 0, 30));
                try {
                    pair.await(pair.b, 30);
                    found = true;
                } catch (FabricException | AssertionError notYet) {
                    queue.poll(completion -> { }, 1);
                }
            }
            FabricArena arena = pair.domain.openArena();
            MemorySegment in = arena.allocate(100 * LARGE);
            pair.post(() -> pair.b.endpoint.tagged().claim(in, Address.ANY, 7, 0, 30));
            pair.b.endpoint.close();
            check(isRefused(arena), "the arena of a message that is being received was closed");
        }
    }

    private static boolean isRefused(FabricArena arena) {
        try {
            arena.close();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** Whichever is closed last has messages of one that is gone. */
    private static void unreadOnBothSides() {
        for (int size : new int[] {8, LARGE}) {
            for (int i = 0; i < 20; i++) {
                try (Pair pair = Pair.open(Providers.SHM).connect()) {
                    MemorySegment out = filled(size, 5);
                    pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
                    pair.post(() -> pair.b.endpoint.tagged().send(out, pair.b.peer, 7, 1));
                    for (int j = 0; j < 20; j++) {
                        pair.progress();
                    }
                    (i % 2 == 0 ? pair.a : pair.b).endpoint.close();
                }
            }
        }
    }

    /** As above, while one is open whose name begins with that of the closed sender. */
    private static void longerName() {
        try (Pair pair = Pair.open(Providers.SHM).connect();
             CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
             AddressVector addresses = pair.domain.openAddressVector();
             Endpoint _ = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                     .bind(addresses).setAddress(Address.of(pair.b.endpoint.address().toText() + "0")).enable()) {
            MemorySegment out = filled(LARGE, 5);
            pair.post(() -> pair.b.endpoint.messages().send(out, pair.b.peer, 1));
            for (int i = 0; i < 20; i++) {
                pair.progress();
            }
            pair.a.endpoint.close();
            pair.b.endpoint.close();
        }
    }

    private static void unanswered() {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            MemorySegment out = filled(LARGE, 5);
            MemorySegment in = filled(LARGE, 0);
            pair.b.endpoint.messages().receive(in, Address.ANY, 2);
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
            while (pair.b.take(d -> d.context() == 2) == null) {
                pair.b.poll();
            }
            pair.b.endpoint.close();
            for (int i = 0; i < 1000; i++) {
                pair.a.poll();
            }
            pair.await(pair.a, 1);
        }
    }

    private static void firstSend() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            check(!pair.a.endpoint.messages().send(filled(8, 5), pair.a.peer, 1), "the first is not taken");
            pair.a.endpoint.close();
            for (int i = 0; i < 1000; i++) {
                pair.b.poll();
            }
        }
    }

    /** Sends once, whatever comes of it, and closes. */
    private static void sendOnce(String[] args) throws IOException {
        try (Pair pair = Pair.open(Providers.SHM)) {
            long peer = pair.a.addresses.insert(HEX.parseHex(args[1]));
            System.out.println("sent " + pair.a.endpoint.messages().send(filled(8, 5), peer, 1));
            if (args[2].equals("unknown")) {
                unsettle(pair.a.endpoint.address().toText().replaceAll(".*://", ""));
            }
        }
    }

    /** Gives the file of an endpoint a number that none has: nobody can tell what is in it. */
    private static void unsettle(String name) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(Path.of("/dev/shm", name).toFile(), "rw")) {
            file.write(0x7F);
        }
    }

    private static void elsewhere(boolean pollsMeanwhile, String layout) {
        try (Pair pair = Pair.open(Providers.SHM);
             ChildJvm child = ChildJvm.of(ShmClose.class, "sendOnce",
                     HEX.formatHex(pair.b.endpoint.address().bytes()), layout).start()) {
            if (pollsMeanwhile) {
                pair.until("the child ends", () -> child.output().contains("SURVIVED"));
            }
            ChildJvm.Result result = child.await();
            check(result.exitCode() == 0 && result.output().contains("sent false"), result);
            for (int i = 0; i < 1000; i++) {
                pair.b.poll();
            }
        }
    }

    private static void removed() {
        try (Pair pair = Pair.open(Providers.SHM).connect();
             ChildJvm child = ChildJvm.of(ShmSpin.class, "sender",
                     HEX.formatHex(pair.b.endpoint.address().bytes()), LARGE + "").start()) {
            byte[] address = pair.b.endpoint.address().bytes();
            long first = pair.a.addresses.insert(address);
            check(first == pair.a.peer, first);
            pair.a.addresses.remove(first);
            pair.a.addresses.remove(first);
            try {
                pair.a.endpoint.messages().send(filled(8, 1), first, 1);
                throw new AssertionError("was removed");
            } catch (IllegalArgumentException expected) {
                // as with any other provider
            }
            for (int i = 0; i < 600; i++) {
                check(pair.a.addresses.insert(address) == first, "the same again");
                pair.a.addresses.remove(first);
            }
            check(pair.a.addresses.insert(address) == first, "the same again");
            MemorySegment out = filled(LARGE, 5);
            pair.post(() -> pair.a.endpoint.messages().send(out, first, 1));
            pair.a.addresses.remove(first);
            MemorySegment in = filled(LARGE, 0);
            pair.b.endpoint.messages().receive(in, Address.ANY, 2);
            pair.await(pair.b, 2);
            pair.await(pair.a, 1);
            pair.b.endpoint.messages().receive(in, Address.ANY, 3);
            pair.await(pair.b, 3);
            child.awaitLine(line -> line.contains("SURVIVED"));
        }
    }

    /** The closed endpoint's receives must not take what comes later. */
    @SuppressWarnings("try")
    private static void sharedQueue() {
        try (Pair pair = Pair.open(Providers.SHM).connect();
             AddressVector addresses = pair.domain.openAddressVector();
             Endpoint third = pair.domain.openEndpoint(pair.info)
                     .bind(pair.b.queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).enable()) {
            long peer = pair.a.addresses.insert(third.address().bytes());
            MemorySegment in = filled(64, 7);
            third.messages().receive(in, Address.ANY, 3);
            third.messages().receive(in, Address.ANY, 3);
            pair.post(() -> pair.a.endpoint.messages().send(filled(64, 1), peer, 1));
            pair.await(pair.b, 3);
            check(in.get(ValueLayout.JAVA_BYTE, 0) == 1, "received");
            in.fill((byte) 7);
            // in the queue, and not yet taken from it
            pair.a.endpoint.messages().send(filled(64, 1), peer, 1);
            third.close();
            for (int i = 0; i < 1000; i++) {
                pair.progress();
            }
            check(in.get(ValueLayout.JAVA_BYTE, 0) == 7, "nothing is received by a closed endpoint");
            // the others still work
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 4));
            pair.post(() -> pair.a.endpoint.messages().send(filled(64, 2), pair.a.peer, 5));
            pair.await(pair.b, 4);
        }
    }

    /** Receives that libfabric cannot cancel, of an endpoint that another still knows. */
    private static void directed() {
        try (Pair pair = Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV)).connect()) {
            MemorySegment in = filled(64, 0);
            pair.post(() -> pair.b.endpoint.messages().receive(in, pair.b.peer, 1));
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 7, 0, 2));
            pair.b.endpoint.close();
            for (int i = 0; i < 100; i++) {
                pair.progress();
            }
            check(!pair.b.endpoint.isOpen(), "closed");
        }
    }

    /** An answer that is written when the queue is polled which the closed endpoint shared with another. */
    private static void fetching(boolean reported) {
        try (Pair pair = Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.ATOMIC),
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> { }).connect()) {
            MemorySegment memory = filled(8, 3);
            RemoteRegion region = RemoteRegion.of(pair.b.endpoint
                    .register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).remote().toBytes());
            AddressVector addresses = pair.domain.openAddressVector();
            BindFlag[] more = reported ? new BindFlag[] {BindFlag.RECV}
                    : new BindFlag[] {BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION};
            Endpoint third = pair.domain.openEndpoint(pair.info).bind(pair.a.queue, BindFlag.TRANSMIT, more)
                    .bind(addresses).enable();
            pair.b.addresses.insert(third.address().bytes());
            long peer = addresses.insert(pair.b.endpoint.address().bytes());
            FabricArena arena = pair.domain.openArena();
            MemorySegment fetched = arena.allocate(8, 8);
            pair.post(() -> third.atomics().fetchAndApply(arena.allocate(8, 8), fetched, peer, region, 0,
                    Datatype.INT64, AtomicOp.SUM, 9));
            third.close();
            check(isRefused(arena), "the arena of an answer that has not come was closed");
            if (reported) {
                pair.await(pair.a, 9);
                check(fetched.mismatch(memory) == -1, "the answer");
            } else {
                for (int i = 0; i < 100; i++) {
                    pair.progress();
                }
                pair.b.endpoint.close();
            }
            arena.close();
        }
    }

    /** What has ended keeps no arena, whoever has looked at it. */
    private static void sent() {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            FabricArena arena = pair.domain.openArena();
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(64), Address.ANY, 1));
            pair.post(() -> pair.b.endpoint.messages().send(arena.allocate(64), pair.b.peer, 2));
            pair.b.endpoint.close();
            arena.close();
            pair.awaitError(pair.b, 1);
            pair.await(pair.b, 2);
        }
    }

    private static void many() throws IOException {
        String prefix = "jfabric-many-" + ProcessHandle.current().pid() + "-";
        try (Pair pair = Pair.open(Providers.SHM)) {
            // as much of an endpoint as is looked at when its name is inserted
            byte[] header = new byte[4096];
            try (InputStream file = Files.newInputStream(Path.of("/dev/shm",
                    pair.b.endpoint.address().toText().replaceFirst(".*://", "")))) {
                file.readNBytes(header, 0, header.length);
            }
            int inserted = 1;
            try {
                for (; inserted < 1000; inserted++) {
                    Files.write(Path.of("/dev/shm", prefix + inserted), header);
                    pair.a.addresses.insert(("fi_shm://" + prefix + inserted + "\0").getBytes());
                }
            } catch (FabricException e) {
                check(e.error() == FabricError.ENOMEM, e);
            }
            System.out.println("inserted " + inserted);
            // all seem to be of this process
            check(inserted == (Quirks.of("shm").has(Quirk.ANSWERS_IN_PROCESS) ? 128 : 256), inserted);
            pair.connect();
        } finally {
            for (int i = 1; i < 1000; i++) {
                Files.deleteIfExists(Path.of("/dev/shm", prefix + i));
            }
        }
    }

    private static long count(String directory) {
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.filter(file -> !directory.equals("/dev/shm")
                    || file.getFileName().toString().startsWith(ProcessHandle.current().pid() + ":")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long kilobytes() throws IOException {
        return Resident.bytes("VmRSS") >> 10;
    }

    /** Nothing is left of pairs that were closed, though each end was closed while the other knew it. */
    private static void cycles(int rounds) throws IOException {
        long descriptors = 0;
        long maps = 0;
        long memory = 0;
        for (int i = 0; i < rounds; i++) {
            try (Pair pair = Pair.open(Providers.SHM, hints -> { },
                    CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> { })) {
                MemorySegment out = filled(5000, 5);
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
                pair.a.endpoint.close();
            }
            if (i == rounds / 5) {
                descriptors = count("/proc/self/fd");
                maps = Files.readAllLines(Path.of("/proc/self/maps")).size();
                memory = kilobytes();
            }
        }
        check(count("/dev/shm") == 0, "files: " + count("/dev/shm"));
        check(count("/proc/self/fd") <= descriptors + 3, "descriptors: " + count("/proc/self/fd"));
        // the views that watch an endpoint's lock go with the garbage
        long mapsNow = Files.readAllLines(Path.of("/proc/self/maps")).size();
        for (long end = System.nanoTime() + 10_000_000_000L; mapsNow >= maps + 100 && System.nanoTime() < end;) {
            System.gc();
            LockSupport.parkNanos(50_000_000);
            mapsNow = Files.readAllLines(Path.of("/proc/self/maps")).size();
        }
        System.out.println("maps " + maps + " -> " + mapsNow + ", RSS " + memory + " -> " + kilobytes() + " KiB");
        check(mapsNow < maps + 100, mapsNow + " maps, before " + maps);
        check(kilobytes() < memory + 100_000, kilobytes() + " KiB, before " + memory);
    }
}
