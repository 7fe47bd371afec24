// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.post.ContextSlab;
import io.jfabric.internal.post.LocalRegions;
import io.jfabric.internal.post.Refusal;
import io.jfabric.internal.post.TemporaryRegions;
import java.lang.foreign.MemorySegment;

/** What the long forms of remote accesses and atomic operations share: descriptors of local buffers, the outcome. */
public abstract class RemoteCall {
    public EndpointImpl endpoint;
    public String operation;
    /** Null unless a buffer had to be registered for this operation. */
    private TemporaryRegions temporary;

    public final void start(EndpointImpl newEndpoint, String newOperation) {
        endpoint = newEndpoint;
        operation = newOperation;
        temporary = null;
    }

    /** The descriptor of a buffer; 0 where the provider wants none. */
    public final long describe(MemorySegment buffer, long address, long length) {
        if (!endpoint.describes()) {
            return 0;
        }
        long known = endpoint.state().localRegions().descriptor(address, length);
        if (known != LocalRegions.NONE) {
            return known;
        }
        if (!endpoint.registers() || length == 0) {
            return 0;
        }
        if (temporary == null) {
            temporary = new TemporaryRegions();
        }
        return temporary.register(endpoint.state(), buffer, address, length);
    }

    /** The token of the operation. */
    public final long token(long context, Object buffers, long flags) {
        if (temporary == null) {
            return endpoint.transmitToken(context, buffers, ContextSlab.PLAIN, flags);
        }
        long token = endpoint.transmitToken(context, temporary, ContextSlab.RESOURCES, flags);
        if (token == 0) {
            temporary.release();
            throw Refusal.unreported(operation);
        }
        return token;
    }

    public final boolean outcome(long result, long token) {
        return result == 0 || endpoint.refused(operation, result, token);
    }
}
