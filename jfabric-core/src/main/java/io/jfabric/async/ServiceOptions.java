// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * How a {@link Service} is opened. Immutable.
 *
 * @param executor runs the handler: {@link #VIRTUAL}, or {@link NodeOptions#DIRECT} for the thread that makes progress,
 *     which is fastest, but only for handlers that do not block
 * @param limit how many calls may be with the handler, 1 to 32,768; more are refused
 * @param callers how many callers there may be, 1 to 65,536
 * @param largestRequest the longest request that is accepted, in bytes, 0 or more
 * @param largeBytes how much memory all requests and answers above 16 KiB (4 KiB where memory has to be registered) may
 *     take together, in bytes, 0 or more; more are refused
 */
public record ServiceOptions(Executor executor, int limit, int callers, long largestRequest, long largeBytes) {
    /** A new virtual thread for each call. */
    public static final Executor VIRTUAL = Thread::startVirtualThread;
    /**
     * Virtual threads, 4,096 calls at once, 1,024 callers; requests of up to 1 GiB, all those above 16 KiB together up
     * to 2 GiB.
     */
    public static final ServiceOptions DEFAULT = new ServiceOptions(VIRTUAL, 4096, 1024, 1 << 30, 2L << 30);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ServiceOptions {
        Objects.requireNonNull(executor, "executor");
        range("limit", limit, 1, 1 << 15);
        range("callers", callers, 1, 65_536);
        if (largestRequest < 0 || largeBytes < 0) {
            throw new IllegalArgumentException("largestRequest " + largestRequest + " and largeBytes " + largeBytes
                    + " must not be negative");
        }
    }

    private static void range(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + ": " + value + " is not between " + least + " and " + most);
        }
    }

    /**
     * Changes what runs the handler.
     *
     * @param running the executor; what it rejects is refused as overload
     * @return new options
     */
    public ServiceOptions withExecutor(Executor running) {
        return new ServiceOptions(running, limit, callers, largestRequest, largeBytes);
    }

    /**
     * Changes how many calls may be with the handler.
     *
     * @param calls 1 to 32,768
     * @return new options
     */
    public ServiceOptions withLimit(int calls) {
        return new ServiceOptions(executor, calls, callers, largestRequest, largeBytes);
    }

    /**
     * Changes how many callers there may be. One more is refused, unless another has had no call for a minute, and may
     * have died without a goodbye: that loses its place. Should it call again, it says hello anew, and the call fails
     * with {@code FI_ECONNRESET}.
     *
     * @param number 1 to 65,536
     * @return new options
     */
    public ServiceOptions withCallers(int number) {
        return new ServiceOptions(executor, limit, number, largestRequest, largeBytes);
    }

    /**
     * Changes how much memory large requests and answers may take.
     *
     * @param largest the longest request that is taken, in bytes, 0 or more
     * @param together all of them, in bytes, 0 or more
     * @return new options
     */
    public ServiceOptions withLarge(long largest, long together) {
        return new ServiceOptions(executor, limit, callers, largest, together);
    }
}
