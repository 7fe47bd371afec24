// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import java.util.Optional;
import java.util.OptionalLong;

/** {@link Received}. */
public final class ReceivedImpl implements Received {
    private final long length;
    private final long tag;
    private final Peer source;
    private final boolean hasData;
    private final long data;

    /** The tag is 0 if there is none, the source null if it is unknown. */
    public ReceivedImpl(long length, long tag, Peer source, boolean hasData, long data) {
        this.length = length;
        this.tag = tag;
        this.source = source;
        this.hasData = hasData;
        this.data = data;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public long tag() {
        return tag;
    }

    @Override
    public Optional<Peer> source() {
        return Optional.ofNullable(source);
    }

    @Override
    public OptionalLong data() {
        return hasData ? OptionalLong.of(data) : OptionalLong.empty();
    }

    /** For people. */
    @Override
    public String toString() {
        return "Received[" + length + " bytes, tag " + OwnTags.text(tag) + (source == null ? "" : ", from " + source)
                + (hasData ? ", data " + data : "") + "]";
    }
}
