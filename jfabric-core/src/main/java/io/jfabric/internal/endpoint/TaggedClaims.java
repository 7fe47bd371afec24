// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.TaggedMessages;
import io.jfabric.TaggedRequest;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.request.TaggedRequestImpl;
import java.lang.foreign.MemorySegment;

/** The part of {@link TaggedMessages} that does not depend on what buffers need: peeks, claims, requests. */
public abstract sealed class TaggedClaims implements TaggedMessages
        permits PlainTaggedMessages, PreparedTaggedMessages {
    final EndpointState state;
    final Gate gate;

    TaggedClaims(EndpointState state) {
        this.state = state;
        this.gate = state.tagged();
    }

    @Override
    public boolean peek(long peer, long tag, long ignore, long context) {
        gate.checkFrom(peer);
        return MessageCall.of(state, tag, ignore).peek(peer, context, MessageCall.PEEK);
    }

    @Override
    public boolean peekAndClaim(long peer, long tag, long ignore, long context) {
        gate.checkFrom(peer);
        return MessageCall.of(state, tag, ignore).peek(peer, context, MessageCall.PEEK | MessageCall.CLAIM);
    }

    @Override
    public boolean peekAndDiscard(long peer, long tag, long ignore, long context) {
        gate.checkFrom(peer);
        return MessageCall.of(state, tag, ignore).peek(peer, context, MessageCall.PEEK | MessageCall.DISCARD);
    }

    @Override
    public boolean claim(MemorySegment buffer, long peer, long tag, long ignore, long context) {
        gate.checkFrom(peer);
        Buffers.writable("fi_trecvmsg", buffer);
        return MessageCall.of(state, tag, ignore).claim(buffer, peer, context);
    }

    @Override
    public boolean discard(long peer, long tag, long ignore, long context) {
        gate.checkFrom(peer);
        return MessageCall.of(state, tag, ignore).claim(null, peer, context);
    }

    @Override
    public TaggedRequest sendRequest() {
        return TaggedRequestImpl.send(state);
    }

    @Override
    public TaggedRequest receiveRequest() {
        return TaggedRequestImpl.receive(state);
    }
}
