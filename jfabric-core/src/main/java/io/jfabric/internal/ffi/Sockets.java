// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/** What the system says of sockets that others have opened in this process. */
public final class Sockets {
    // Linux's, the same on x86-64 and AArch64
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_ACCEPTCONN = 30;
    private static final int SHUT_RDWR = 2;
    private static final int SOCKADDR_STORAGE_BYTES = 128;
    private static final int TIMEVAL_BYTES = 16;
    private static final MemorySegment GETSOCKNAME = LibC.function("getsockname");
    private static final MemorySegment GETSOCKOPT = LibC.function("getsockopt");
    private static final MemorySegment SETSOCKOPT = LibC.function("setsockopt");
    private static final MemorySegment EVENTFD = LibC.function("eventfd");
    private static final MemorySegment DUP = LibC.function("dup");
    private static final MemorySegment DUP2 = LibC.function("dup2");
    private static final MemorySegment SHUTDOWN = LibC.function("shutdown");

    private Sockets() {
    }

    /** {@code getsockname(2)}: a {@code struct sockaddr}; null if that is no socket, or has no address. */
    public static byte[] name(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(SOCKADDR_STORAGE_BYTES, 8);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, SOCKADDR_STORAGE_BYTES);
            if (CallInt.intILL(GETSOCKNAME, fd, name.address(), length.address()) != 0) {
                return null;
            }
            int written = length.get(ValueLayout.JAVA_INT, 0);
            return written <= 0 ? null
                    : name.asSlice(0, Math.min(written, SOCKADDR_STORAGE_BYTES)).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Whether connections to it are accepted. */
    public static boolean isListening(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
            return CallInt.intIIILL(GETSOCKOPT, fd, SOL_SOCKET, SO_ACCEPTCONN, value.address(), length.address()) == 0
                    && value.get(ValueLayout.JAVA_INT, 0) != 0;
        }
    }

    /**
     * Limits how long reads from the socket, and from those that are accepted from it, wait for bytes; false if the
     * system refuses.
     */
    public static boolean limitWaits(int fd, long nanos) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment timeval = arena.allocate(TIMEVAL_BYTES, 8);
            timeval.set(ValueLayout.JAVA_LONG, 0, TimeUnit.NANOSECONDS.toSeconds(nanos));
            timeval.set(ValueLayout.JAVA_LONG, 8, TimeUnit.NANOSECONDS.toMicros(nanos % TimeUnit.SECONDS.toNanos(1)));
            return CallInt.intIIILI(SETSOCKOPT, fd, SOL_SOCKET, SO_RCVTIMEO, timeval.address(), TIMEVAL_BYTES) == 0;
        }
    }

    /** Another descriptor of it, for {@link LibC#close}; negative if the system has none left. */
    public static int copy(int fd) {
        return CallInt.intI(DUP, fd);
    }

    /** Ends it in both directions: whoever reads from it finds its end. */
    public static void shutDown(int fd) {
        CallInt.intII(SHUTDOWN, fd, SHUT_RDWR);
    }

    /** Closes it, and puts a descriptor in its place that is never ready; false if the system has none left. */
    public static boolean silence(int fd) {
        int silent = CallInt.intII(EVENTFD, 0, 0);
        if (silent < 0) {
            return false;
        }
        boolean done = CallInt.intII(DUP2, silent, fd) == fd;
        LibC.close(silent);
        return done;
    }
}
