// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.Endpoint;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Sweep;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Sockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The socket by which an endpoint asks for a connection. While the provider waits for the rest of an answer that has
 * begun, nothing else of the domain is connected or closed; so such a wait is ended here, by shutting the socket down.
 */
public final class AskingSocket {
    private static final Log LOG = Log.of(Endpoint.class);
    private static final Path SELF = Path.of("/proc/self");
    private static final long LOOK_MILLIS = 500;
    private static final long PAUSE_NANOS = 1_000_000;
    /** Longer than it takes until waits for others have ended. */
    private static final Duration MOST = Duration.ofMillis(5 * LOOK_MILLIS);
    /** What the provider keeps of a connection has the address of its endpoint at byte 144, or somewhat later. */
    private static final int KEPT_BYTES = 256;
    /** What an epoll set has in it. */
    private static final Pattern MEMBER = Pattern.compile("tfd: *(\\d+) .*data: *([0-9a-f]+)\\b.*");
    /** A thread in {@code recvfrom}, by its number on x86-64 or AArch64. */
    private static final Pattern READS = Pattern.compile("(?:45|207) 0x([0-9a-f]+) .*");
    /** The endpoints that ask, with the socket that was being waited for at the last look; -1 if none was. */
    static final Map<Long, Integer> ASKING = new ConcurrentHashMap<>();
    private static final Sweep SWEEP = new Sweep(LOOK_MILLIS, AskingSocket::look);

    /** A socket, and the epoll set that it is in. */
    private record Found(Path set, Integer socket) {
    }

    private AskingSocket() {
    }

    /** The endpoint is about to ask. */
    public static void asks(long endpoint) {
        ASKING.put(endpoint, -1);
        SWEEP.begin();
    }

    /** It has its answer. */
    public static void answered(long endpoint) {
        ASKING.remove(endpoint);
    }

    /** The endpoint is about to be closed: nobody waits for an answer any more, if it has none yet. */
    public static void giveUp(long endpoint) {
        if (ASKING.remove(endpoint) == null) {
            return;
        }
        try {
            Optional<Found> found = find(endpoint);
            if (found.isPresent()) {
                end(found.get(), endpoint);
                awaitGone(found.get(), endpoint);
            }
        } catch (IOException | UncheckedIOException | DirectoryIteratorException unknown) {
            LOG.debug("who was asked for a connection may keep the endpoint from being closed", unknown);
        }
    }

    /** The provider may close it at any moment, and its number be somebody else's then: a copy of it stays. */
    private static void end(Found found, long endpoint) throws IOException {
        int copy = Sockets.copy(found.socket);
        if (copy < 0) {
            return;
        }
        try {
            if (in(found.set, endpoint).filter(found.socket::equals).isPresent()) {
                Sockets.shutDown(copy);
            }
        } finally {
            LibC.close(copy);
        }
    }

    /** The provider takes the socket out of its set, and then forgets it: {@code fi_close} must not be in between. */
    private static void awaitGone(Found found, long endpoint) throws IOException {
        long end = Clock.after(MOST);
        while (in(found.set, endpoint).isPresent()) {
            if (Clock.isPast(end)) {
                LOG.debug("the provider does not look at the end of socket {}", found.socket);
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /** Ends waits that go on since the last look. Returns whether anybody asks. */
    private static boolean look() {
        try {
            Set<Integer> read = beingRead();
            for (Map.Entry<Long, Integer> one : ASKING.entrySet()) {
                Found found = read.isEmpty() ? null : find(one.getKey()).orElse(null);
                int socket = found != null && read.contains(found.socket) ? found.socket : -1;
                if (socket >= 0 && socket == one.getValue()) {
                    LOG.debug("an answer to a connection request has begun and does not go on: socket {}", socket);
                    end(found, one.getKey());
                }
                ASKING.replace(one.getKey(), socket);
            }
        } catch (IOException | UncheckedIOException | DirectoryIteratorException unknown) {
            LOG.debug("who was asked for a connection may keep others from being connected", unknown);
        }
        return !ASKING.isEmpty();
    }

    /** The sockets that threads of this process wait for in the system. */
    private static Set<Integer> beingRead() throws IOException {
        Set<Integer> read = new HashSet<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(SELF.resolve("task"))) {
            for (Path thread : threads) {
                lines(thread.resolve("syscall")).stream().map(READS::matcher).filter(Matcher::matches)
                        .forEach(call -> read.add((int) Long.parseUnsignedLong(call.group(1), 16)));
            }
        }
        return read;
    }

    private static Optional<Found> find(long endpoint) throws IOException {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(SELF.resolve("fd"), AskingSocket::isSet)) {
            for (Path descriptor : descriptors) {
                Path set = SELF.resolve("fdinfo").resolve(descriptor.getFileName());
                Optional<Integer> socket = in(set, endpoint);
                if (socket.isPresent()) {
                    return Optional.of(new Found(set, socket.get()));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isSet(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals("anon_inode:[eventpoll]");
        } catch (IOException closed) {
            return false;
        }
    }

    /** The endpoint's socket in that set: its member leads to what is kept of the endpoint's connection. */
    private static Optional<Integer> in(Path set, long endpoint) throws IOException {
        try (OwnMemory memory = OwnMemory.open()) {
            return lines(set).stream().map(MEMBER::matcher).filter(Matcher::matches)
                    .filter(member -> leadsTo(endpoint,
                            memory.read(Long.parseUnsignedLong(member.group(2), 16), KEPT_BYTES)))
                    .map(member -> Integer.parseInt(member.group(1))).findFirst();
        }
    }

    private static boolean leadsTo(long endpoint, MemorySegment kept) {
        if (kept != null) {
            for (int at = 0; at < KEPT_BYTES; at += Long.BYTES) {
                if (kept.get(ValueLayout.JAVA_LONG_UNALIGNED, at) == endpoint) {
                    return true;
                }
            }
        }
        return false;
    }

    /** None if the file is gone: others close descriptors, and threads end. */
    private static List<String> lines(Path file) {
        try {
            return Uninterrupted.read(() -> Files.readAllLines(file));
        } catch (IOException gone) {
            return List.of();
        }
    }
}
