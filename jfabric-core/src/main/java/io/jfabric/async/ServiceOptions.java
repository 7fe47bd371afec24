// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.ffi.Arguments;
import java.util.Objects;
import java.util.concurrent.Executor;

/** How a {@link Service} is opened. Immutable. */
public final class ServiceOptions {
    /** A new virtual thread for each call, named {@code jfabric-call}. */
    public static final Executor VIRTUAL = call -> Thread.ofVirtual().name("jfabric-call").start(call);
    /**
     * Virtual threads, 4,096 calls at once, 1,024 callers; requests of up to 1 GiB; all requests and answers above
     * 16 KiB together up to 2 GiB.
     */
    public static final ServiceOptions DEFAULT = new ServiceOptions(VIRTUAL, 4096, 1024, 1 << 30, 2L << 30);

    private final Executor executor;
    private final int limit;
    private final int callers;
    private final long largestRequest;
    private final long largeBytes;

    private ServiceOptions(Executor executor, int limit, int callers, long largestRequest, long largeBytes) {
        Objects.requireNonNull(executor, "executor");
        Arguments.range("limit", limit, 1, 1 << 15);
        Arguments.range("callers", callers, 1, 65_536);
        if (largestRequest < 0 || largeBytes < 0) {
            throw new IllegalArgumentException("largestRequest " + largestRequest + " and largeBytes " + largeBytes
                    + " must not be negative");
        }
        this.executor = executor;
        this.limit = limit;
        this.callers = callers;
        this.largestRequest = largestRequest;
        this.largeBytes = largeBytes;
    }

    /**
     * Changes what runs the handler: {@link #VIRTUAL}, or {@link NodeOptions#DIRECT} for the thread that makes
     * progress, which is fastest, but only for handlers that do not block.
     *
     * @param running the executor; what it rejects is refused as overload
     * @return new options
     */
    public ServiceOptions withExecutor(Executor running) {
        return new ServiceOptions(running, limit, callers, largestRequest, largeBytes);
    }

    /**
     * Changes how many calls may be {@linkplain Service#underWay under way}; more are refused. One with a long answer
     * is until its sending has ended here, which may be a little after the caller has it: who then calls again at once
     * may be refused, unless there is room for some more than callers wait for.
     *
     * @param calls 1 to 32,768
     * @return new options
     */
    public ServiceOptions withLimit(int calls) {
        return new ServiceOptions(executor, calls, callers, largestRequest, largeBytes);
    }

    /**
     * Changes how many callers there may be. One more is refused, unless another has had no call for a minute, and may
     * have died without a goodbye: that one loses its place. Should it call again, it greets the service anew, and the
     * call fails with {@code FI_ECONNRESET}.
     *
     * @param number 1 to 65,536
     * @return new options
     */
    public ServiceOptions withCallers(int number) {
        return new ServiceOptions(executor, limit, number, largestRequest, largeBytes);
    }

    /**
     * Changes how long requests may be; longer ones are refused with {@code FI_EMSGSIZE}, as are large ones of more
     * than {@link #largeBytes()}.
     *
     * @param bytes 0 or more
     * @return new options
     */
    public ServiceOptions withLargestRequest(long bytes) {
        return new ServiceOptions(executor, limit, callers, bytes, largeBytes);
    }

    /**
     * Changes how much memory large requests and answers, those above 16 KiB (4,032 bytes where memory has to be
     * registered), may take together. Answers in native memory take none, unless it is confined to a thread; others are
     * copied while the memory of a large request is still taken. A request for which too little is left now is refused
     * with {@code FI_EBUSY}; one that is longer than all of it, with {@code FI_EMSGSIZE}. A call whose answer needs
     * more fails with a {@link CallException}.
     *
     * <p>Each takes the next power of two, from 16 KiB to 64 MiB, or, where that is not left, as much as it is long: an
     * idle service takes whatever is not longer than these bytes. What is given back stays allocated for the next ones,
     * up to 64 MiB besides.
     *
     * @param bytes 0 or more
     * @return new options
     */
    public ServiceOptions withLargeBytes(long bytes) {
        return new ServiceOptions(executor, limit, callers, largestRequest, bytes);
    }

    /** {@return what runs the handler} */
    public Executor executor() {
        return executor;
    }

    /** {@return how many calls may be with the handler, 1 to 32,768} */
    public int limit() {
        return limit;
    }

    /** {@return how many callers there may be, 1 to 65,536} */
    public int callers() {
        return callers;
    }

    /** {@return the longest request that is accepted, in bytes, 0 or more} */
    public long largestRequest() {
        return largestRequest;
    }

    /** {@return how much memory large requests and answers may take together, in bytes, 0 or more} */
    public long largeBytes() {
        return largeBytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServiceOptions a && a.executor.equals(executor) && a.limit == limit
                && a.callers == callers && a.largestRequest == largestRequest && a.largeBytes == largeBytes;
    }

    @Override
    public int hashCode() {
        return Objects.hash(executor, limit, callers, largestRequest, largeBytes);
    }

    @Override
    public String toString() {
        return "ServiceOptions[executor=" + executor + ", limit=" + limit + ", callers=" + callers
                + ", largestRequest=" + largestRequest + ", largeBytes=" + largeBytes + "]";
    }
}
