// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.wait;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jfabric.PollDescriptor;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.queue.Timeouts;
import io.jfabric.wait.FdWaiter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** {@link FdWaiter}. */
public final class FdWaiterImpl implements FdWaiter {
    private static final int POLLFD_BYTES = 8;
    private static final long EVENTS = 4;
    private static final long RETURNED_EVENTS = 6;
    private static final short POLLIN = 1;

    private final int count;
    private final MemorySegment fds;

    private FdWaiterImpl(List<PollDescriptor> given) {
        List<PollDescriptor> descriptors = Arguments.all("FdWaiter.of", "a descriptor",
                Arguments.given(given, "FdWaiter.of", "the list").toArray(PollDescriptor[]::new));
        count = descriptors.size();
        fds = Arena.ofAuto().allocate(Math.max(1, count) * (long) POLLFD_BYTES, POLLFD_BYTES);
        for (int i = 0; i < count; i++) {
            fds.set(JAVA_INT, (long) i * POLLFD_BYTES, descriptors.get(i).fd());
            fds.set(JAVA_SHORT, i * (long) POLLFD_BYTES + EVENTS, descriptors.get(i).events());
        }
    }

    public static FdWaiterImpl of(int... fds) {
        return new FdWaiterImpl(Arrays.stream(Arguments.given(fds, "FdWaiter.of",
                "the array")).mapToObj(fd -> new PollDescriptor(fd, POLLIN)).toList());
    }

    public static FdWaiterImpl of(List<PollDescriptor> descriptors) {
        return new FdWaiterImpl(descriptors);
    }

    @Override
    public int await(Duration timeout) {
        int millis = Timeouts.millis(timeout);
        try {
            return Math.max(0, LibC.poll(fds.address(), count, millis));
        } finally {
            // the kernel writes to its memory when the wait is over, but the program may have no use for it by then
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public boolean isReady(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("index " + index + " of " + count + " descriptors");
        }
        return fds.get(JAVA_SHORT, index * (long) POLLFD_BYTES + RETURNED_EVENTS) != 0;
    }
}
