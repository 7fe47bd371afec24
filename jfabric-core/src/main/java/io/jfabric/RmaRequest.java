// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.request.RmaRequestImpl;

/**
 * A read or write of a peer's memory ({@code struct fi_msg_rma}). From {@link Rma#writeRequest()} and
 * {@link Rma#readRequest()}. Buffers and ranges have as many bytes in all when it is posted.
 *
 * <p>Errors and threads: see {@link Request}.
 */
public sealed interface RmaRequest extends Request<RmaRequest> permits RmaRequestImpl {
    /**
     * Sets the only range of the peer's memory.
     *
     * @param region the peer's memory
     * @param offset where the range starts, in bytes
     * @param length how long it is, in bytes
     * @return this
     */
    RmaRequest range(RemoteRegion region, long offset, long length);

    /**
     * Adds a range, which is written or read after those before it. How many there can be is
     * {@code tx().rmaIovLimit()}.
     *
     * @param region the peer's memory
     * @param offset where the range starts, in bytes
     * @param length how long it is, in bytes
     * @return this
     */
    RmaRequest addRange(RemoteRegion region, long offset, long length);
}
