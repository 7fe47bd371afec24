// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.async.operation.ReceivedImpl;
import java.util.Optional;
import java.util.OptionalLong;

/** A message that has arrived. Immutable; the bytes are in the buffer of the receive. */
public sealed interface Received permits ReceivedImpl {
    /**
     * How long the message is.
     *
     * @return in bytes
     */
    long length();

    /**
     * Its tag.
     *
     * @return the tag; 0 for a message without
     */
    long tag();

    /**
     * Who sent it.
     *
     * @return the sender, where the node has the capability {@code SOURCE} and knows it, or is connected to it
     */
    Optional<Peer> source();

    /**
     * The immediate data.
     *
     * @return the data; empty if none came along, or, on sockets, if the message came before its receive
     */
    OptionalLong data();
}
