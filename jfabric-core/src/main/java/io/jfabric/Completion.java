// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.internal.queue.CompletionImpl;
import io.jfabric.option.CompletionFormat;

/**
 * A completed operation, as {@link CompletionQueue#poll} shows it to a handler: a view of the queue's own buffer, which
 * is reused for the next completion. Reading it allocates nothing. Not thread-safe.
 *
 * <p>A method throws {@link UnsupportedOperationException} if the queue's {@link CompletionFormat} does not report that
 * value.
 */
public sealed interface Completion permits CompletionImpl {
    /**
     * What the operation was posted with.
     *
     * @return the context; 0 for completions of no operation of this side, such as remote writes, and perhaps for those
     *     of an endpoint that was closed before they were read
     */
    long context();

    /**
     * The kind of operation. A new object for each call; {@link #is} makes none.
     *
     * @return the flags, from {@link CompletionFormat#MSG} on
     */
    Flags<CompletionFlag> flags();

    /**
     * Tests the kind of operation.
     *
     * @param flag the flag
     * @return true if it is set; from {@link CompletionFormat#MSG} on
     */
    boolean is(CompletionFlag flag);

    /**
     * Bytes received; undefined for other operations.
     *
     * @return in bytes, from {@link CompletionFormat#MSG} on
     */
    long length();

    /**
     * Where a message of a multi-receive buffer starts; undefined for other operations. Subtract the
     * {@link java.lang.foreign.MemorySegment#address() address} of the posted buffer for the offset in it.
     *
     * @return an address, from {@link CompletionFormat#DATA} on
     */
    long buffer();

    /**
     * Immediate data of the peer, if {@link CompletionFlag#REMOTE_CQ_DATA} is set.
     *
     * @return the data, from {@link CompletionFormat#DATA} on
     */
    long data();

    /**
     * Tag of a received tagged message.
     *
     * @return the tag, with {@link CompletionFormat#TAGGED}
     */
    long tag();

    /**
     * The sender of a received message, where the domain has the capability {@code SOURCE}.
     *
     * @return the address-vector address; {@link Address#NOT_AVAILABLE} if unknown
     */
    long source();
}
