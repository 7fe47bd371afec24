// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import io.jfabric.launch.internal.session.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;

/**
 * A file descriptor that the launcher has left open, by read(2), write(2) and poll(2): Java has no way to open one by
 * its number when it is a socket.
 */
final class Fd {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MethodHandle READ = handle("read", FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    private static final MethodHandle WRITE = handle("write", FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    private static final MethodHandle POLL = handle("poll", FunctionDescriptor.of(ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    private static final VarHandle ERROR = Linker.Option.captureStateLayout()
            .varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    /** POLLIN; POLLOUT. */
    private static final short IN = 1;
    private static final short OUT = 4;
    private static final int POLLFD_BYTES = 8;
    private static final int CHUNK = 4096;

    private final int fd;
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
    private final MemorySegment pollfd = arena.allocate(POLLFD_BYTES, ValueLayout.JAVA_INT.byteAlignment());
    private final MemorySegment chunk = arena.allocate(CHUNK);
    private int next;
    private int filled;

    Fd(int fd) {
        this.fd = fd;
    }

    private static MethodHandle handle(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, ERRNO);
    }

    /** The next byte. */
    byte read(Deadline deadline) throws IOException {
        if (next == filled) {
            await(IN, deadline);
            filled = (int) transfer(READ, chunk, CHUNK);
            next = 0;
            if (filled == 0) {
                throw new EOFException("the launcher has closed the connection");
            }
        }
        return chunk.get(ValueLayout.JAVA_BYTE, next++);
    }

    void write(byte[] bytes, Deadline deadline) throws IOException {
        try (Arena copy = Arena.ofConfined()) {
            MemorySegment all = copy.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            for (long done = 0; done < bytes.length;) {
                await(OUT, deadline);
                done += transfer(WRITE, all.asSlice(done), bytes.length - done);
            }
        }
    }

    private long transfer(MethodHandle call, MemorySegment buffer, long length) throws IOException {
        while (true) {
            long done;
            try {
                done = (long) call.invokeExact(state, fd, buffer, length);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            if (done >= 0) {
                return done;
            }
            retryOrThrow();
        }
    }

    private void await(short what, Deadline deadline) throws IOException {
        while (true) {
            pollfd.set(ValueLayout.JAVA_INT, 0, fd);
            pollfd.set(ValueLayout.JAVA_SHORT, 4, what);
            int ready;
            try {
                ready = (int) POLL.invokeExact(state, pollfd, 1L,
                        Math.clamp(deadline.millis(), 0, Integer.MAX_VALUE));
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            if (ready > 0) {
                return;
            }
            if (ready < 0) {
                retryOrThrow();
            } else if (deadline.passed()) {
                throw new SocketTimeoutException("no answer from the launcher within " + deadline);
            }
        }
    }

    private void retryOrThrow() throws IOException {
        int errno = (int) ERROR.get(state, 0L);
        if (errno != EINTR && errno != EAGAIN) {
            throw new IOException("the connection to the launcher, file descriptor " + fd + ": error " + errno);
        }
    }
}
