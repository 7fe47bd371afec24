// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.endpoint.SharedTransmitContextImpl;

/**
 * Resources for sending that several endpoints use together (fi_stx_context, fi_endpoint(3)). Bind it to endpoints
 * that were opened with {@code endpoint().txContextCount(EndpointAttributes.SHARED_CONTEXT)}, and send with those.
 * {@code sockets} has them, but crashes with them: jfabric refuses them there.
 * The domain's threading level says how many threads may send at once, as with an {@link Endpoint}.
 */
public sealed interface SharedTransmitContext extends FabricObject permits SharedTransmitContextImpl {

}
