// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A message that has arrived. Immutable; the bytes are in the buffer of the receive. */
public final class Received {
    private final long length;
    private final long tag;
    private final Peer source;
    private final boolean hasData;
    private final long data;

    /**
     * A message.
     *
     * @param length the length of the message, in bytes
     * @param tag its tag; 0 for one without
     * @param source who sent it; null if unknown
     * @param hasData whether immediate data came along
     * @param data the immediate data
     */
    public Received(long length, long tag, @Nullable Peer source, boolean hasData, long data) {
        this.length = length;
        this.tag = tag;
        this.source = source;
        this.hasData = hasData;
        this.data = data;
    }

    /**
     * How long the message is.
     *
     * @return in bytes
     */
    public long length() {
        return length;
    }

    /**
     * Its tag.
     *
     * @return the tag; 0 for a message without
     */
    public long tag() {
        return tag;
    }

    /**
     * Who sent it.
     *
     * @return the sender, where the node has the capability {@code SOURCE} and knows it, or is connected to it
     */
    public Optional<Peer> source() {
        return Optional.ofNullable(source);
    }

    /**
     * The immediate data.
     *
     * @return the data; empty if none came along
     */
    public OptionalLong data() {
        return hasData ? OptionalLong.of(data) : OptionalLong.empty();
    }

    /** For people. */
    @Override
    public String toString() {
        return "Received[" + length + " bytes, tag " + tag + (source == null ? "" : ", from " + source)
                + (hasData ? ", data " + data : "") + "]";
    }
}
