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
import java.util.function.BooleanSupplier;

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
    private static final int LOOK_MILLIS = 100;

    private final int fd;
    /** Of who reads; who writes has its own. */
    private final MemorySegment state = state(Arena.ofAuto());
    private final MemorySegment pollfd = pollfd(Arena.ofAuto());
    private final MemorySegment chunk = Arena.ofAuto().allocate(CHUNK);
    private final Object writing = new Object();
    private int next;
    private int filled;

    Fd(int fd) {
        this.fd = fd;
    }

    private static MethodHandle handle(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, ERRNO);
    }

    private static MemorySegment state(Arena arena) {
        return arena.allocate(Linker.Option.captureStateLayout());
    }

    private static MemorySegment pollfd(Arena arena) {
        return arena.allocate(POLLFD_BYTES, ValueLayout.JAVA_INT.byteAlignment());
    }

    /** Until there is something to read. False if it is given up before that, which is noticed within a moment. */
    boolean await(BooleanSupplier givenUp, Deadline deadline) throws IOException {
        while (next == filled && !poll(state, pollfd, IN, Math.min(LOOK_MILLIS, deadline.millis()))) {
            if (givenUp.getAsBoolean()) {
                return false;
            }
            orThrow(deadline);
        }
        return true;
    }

    /** The next byte. One thread at a time. */
    byte read(Deadline deadline) throws IOException {
        if (next == filled) {
            await(state, pollfd, IN, deadline);
            filled = (int) transfer(READ, state, chunk, CHUNK);
            next = 0;
            if (filled == 0) {
                throw new EOFException("the launcher has closed the connection");
            }
        }
        return chunk.get(ValueLayout.JAVA_BYTE, next++);
    }

    /** Any thread, also while another reads. */
    void write(byte[] bytes, Deadline deadline) throws IOException {
        synchronized (writing) {
            try (Arena own = Arena.ofConfined()) {
                MemorySegment all = own.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
                MemorySegment failure = state(own);
                MemorySegment poll = pollfd(own);
                for (long done = 0; done < bytes.length;) {
                    await(failure, poll, OUT, deadline);
                    done += transfer(WRITE, failure, all.asSlice(done), bytes.length - done);
                }
            }
        }
    }

    private long transfer(MethodHandle call, MemorySegment failure, MemorySegment buffer, long length)
            throws IOException {
        while (true) {
            long done;
            try {
                done = (long) call.invokeExact(failure, fd, buffer, length);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            if (done >= 0) {
                return done;
            }
            retryOrThrow(failure);
        }
    }

    private void await(MemorySegment failure, MemorySegment poll, short what, Deadline deadline) throws IOException {
        while (!poll(failure, poll, what, deadline.millis())) {
            orThrow(deadline);
        }
    }

    private static void orThrow(Deadline deadline) throws IOException {
        if (deadline.passed()) {
            throw new SocketTimeoutException("no answer from the launcher within " + deadline);
        }
    }

    private boolean poll(MemorySegment failure, MemorySegment poll, short what, long millis) throws IOException {
        poll.set(ValueLayout.JAVA_INT, 0, fd);
        poll.set(ValueLayout.JAVA_SHORT, 4, what);
        int ready;
        try {
            ready = (int) POLL.invokeExact(failure, poll, 1L, Math.clamp(millis, 0, Integer.MAX_VALUE));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (ready < 0) {
            retryOrThrow(failure);
        }
        return ready > 0;
    }

    private void retryOrThrow(MemorySegment failure) throws IOException {
        int errno = (int) ERROR.get(failure, 0L);
        if (errno != EINTR && errno != EAGAIN) {
            throw new IOException("the connection to the launcher, file descriptor " + fd + ": error " + errno);
        }
    }
}
