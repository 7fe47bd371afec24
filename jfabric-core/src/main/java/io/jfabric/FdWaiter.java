// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jfabric.ffi.LibC;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Waits until one of several file descriptors is ready (poll(2)). Java's own selectors take no descriptors from
 * elsewhere, hence this.
 *
 * <p>Owns nothing, needs no closing. One thread at a time. A thread that waits does not react to interruption: use a
 * short time-out, or {@link CompletionQueue#signal()}.
 */
public final class FdWaiter {
    private static final int POLLFD_BYTES = 8;
    private static final long EVENTS = 4;
    private static final long RETURNED_EVENTS = 6;
    private static final short POLLIN = 1;

    private final int count;
    private final MemorySegment fds;

    private FdWaiter(List<PollDescriptor> descriptors) {
        count = descriptors.size();
        fds = Arena.ofAuto().allocate(Math.max(1, count) * (long) POLLFD_BYTES, POLLFD_BYTES);
        for (int i = 0; i < count; i++) {
            fds.set(JAVA_INT, (long) i * POLLFD_BYTES, descriptors.get(i).fd());
            fds.set(JAVA_SHORT, i * (long) POLLFD_BYTES + EVENTS, descriptors.get(i).events());
        }
    }

    /**
     * Waits until there is something to read.
     *
     * @param fds descriptors, such as those of {@link Waitable#fileDescriptor()}
     * @return the waiter
     */
    public static FdWaiter of(int... fds) {
        return new FdWaiter(Arrays.stream(fds).mapToObj(fd -> new PollDescriptor(fd, POLLIN)).toList());
    }

    /**
     * Waits for events of one's own choice.
     *
     * @param descriptors such as those of {@link Waitable#pollDescriptors()}
     * @return the waiter
     */
    public static FdWaiter of(List<PollDescriptor> descriptors) {
        return new FdWaiter(descriptors);
    }

    /**
     * Waits for any of the descriptors (poll(2)). For descriptors of libfabric's only after {@link Fabric#tryWait} has
     * returned true.
     *
     * @param timeout how long; 0 to look only
     * @return how many are ready; 0 if the time is up or a signal arrived
     */
    public int await(Duration timeout) {
        return Math.max(0, LibC.poll(fds.address(), count, Timeouts.millis(timeout)));
    }

    /**
     * Whether the last {@link #await} found a descriptor ready.
     *
     * @param index its place in the list the waiter was made of
     * @return true also if the descriptor is in error
     */
    public boolean isReady(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("index " + index + " of " + count + " descriptors");
        }
        return fds.get(JAVA_SHORT, index * (long) POLLFD_BYTES + RETURNED_EVENTS) != 0;
    }
}
