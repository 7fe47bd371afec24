// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.request.TaggedRequestImpl;

/**
 * A tagged send or receive ({@code struct fi_msg_tagged}). From {@link TaggedMessages#sendRequest()} and
 * {@link TaggedMessages#receiveRequest()}.
 *
 * <p>Errors and threads: see {@link Request}.
 */
public sealed interface TaggedRequest extends Request<TaggedRequest> permits TaggedRequestImpl {
    /**
     * Sets the tag.
     *
     * @param tag the tag
     * @return this
     */
    TaggedRequest tag(long tag);

    /**
     * Sets which bits of the tag need not agree. For receives only.
     *
     * @param ignore 1 where a message's bit does not matter
     * @return this
     */
    TaggedRequest ignore(long ignore);
}
