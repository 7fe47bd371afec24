// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.call.service.IncomingCall;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call that a {@link Service} has received. Answer it once, with one of the methods and from any thread; after that
 * the request can no longer be read.
 */
public sealed interface Call permits IncomingCall {
    /**
     * The request. Until the call is answered it stays valid, and may be written to. Then its memory is for others:
     * whoever keeps the segment or a slice of it, such as in a cache, reads the bytes of other requests, and damages
     * them by writing. Copy what is needed later, as {@link #bytes()} does, or answer later. Where {@code
     * -Djfabric.checkMemory=true} is set, a late use throws an {@link IllegalStateException}, "Already closed".
     *
     * @return native memory, as long as the request, which begins at a multiple of 8 bytes
     * @throws IllegalStateException if the call was answered
     */
    MemorySegment request();

    /**
     * A copy of the request, which may be kept.
     *
     * @return new bytes
     * @throws IllegalStateException if the call was answered
     */
    byte[] bytes();

    /**
     * The peer that calls.
     *
     * @return the peer
     */
    Peer peer();

    /**
     * How much time is left until the caller's deadline. It does not say whether the caller has cancelled the call
     * meanwhile, or was closed.
     *
     * @return negative if the deadline has passed; {@link NodeOptions#NO_DEADLINE} if there is none
     */
    Duration timeLeft();

    /**
     * Answers the call.
     *
     * @param answer of any length, also a part of the request
     * @return done when the memory of the answer may be used again, also if it fails. That is at once, except for long
     *     answers in native memory, which are sent from where they are (see {@link Caller} for how long); memory that
     *     is confined to a thread is copied. Fails if a long answer was not sent: with {@code FI_ECONNRESET} if the
     *     caller is gone, {@code FI_ETIMEDOUT} if it made no room in time, {@code FI_ECANCELED} if it no longer wants
     *     the answer or the service was closed, {@link IllegalStateException} if its memory was freed too early or the
     *     node is closed, or with what kept the node from sending it: the caller then gets a {@link CallException} or
     *     {@code FI_ECONNRESET}, of that call alone if the provider is done with the answer
     * @throws IllegalStateException if the call was answered; or if the memory was freed before, and the call can still
     *     be answered. If it is freed later, but before the future is done, the caller may get a {@link CallException}
     *     or {@code FI_ECONNRESET} instead; or, unless it is memory of a {@link io.jfabric.FabricArena}, wrong data
     * @throws WrongThreadException if the memory is confined to another thread; the call can still be answered
     */
    CompletableFuture<@Nullable Void> answer(MemorySegment answer);

    /**
     * Answers the call with what lies apart, a header and what it is about, for example. The caller gets the parts as
     * one answer, one behind the other. All else is as with {@link #answer(MemorySegment)}: a long answer is sent from
     * where its parts are, without a copy; those on the heap are copied. Only if one of them is confined to a thread,
     * or there are more than a message may have ({@code tx().iovLimit()} of {@link Node#info()}), or the provider needs
     * it in one piece ({@code ofi_rxm}, above 16 KiB), all of it is copied.
     *
     * @param answer the parts, in this order, as many as wished: none for an empty answer; also parts of the request.
     *     The list is read before this returns: later changes of it have no effect
     * @return done when the memory of all parts may be used again, at once if all of it was copied; else as of
     *     {@link #answer(MemorySegment)}
     * @throws IllegalArgumentException if the parts have more bytes together than a long can say; the call can still
     *     be answered
     * @throws IllegalStateException if the call was answered; or if the memory of a part was freed before, and the call
     *     can still be answered
     * @throws WrongThreadException if a part is confined to another thread; the call can still be answered
     */
    CompletableFuture<@Nullable Void> answer(List<MemorySegment> answer);

    /**
     * Answers the call.
     *
     * @param answer of any length; may be changed afterwards
     * @throws IllegalStateException if the call was answered
     */
    void answer(byte[] answer);

    /**
     * Tells the caller that there is no answer. Nothing is logged, unlike when the handler throws the reason.
     *
     * @param why the reason: its class and message are what the caller's {@link CallException} says
     * @throws IllegalStateException if the call was answered
     */
    void fail(Throwable why);
}
