// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * A message that a peek reserved: the context the provider noted it in, under the name the user gave it. Claimed only
 * after the peek has completed and only once, as providers follow what they noted without a look.
 */
final class ClaimedMessage {
    private ClaimedMessage() {
    }

    /** The token for a peek that claims: lives on after its completion. */
    static long reserve(Endpoint endpoint, long context) {
        return endpoint.claims().acquire(context, null, ContextSlab.CLAIM);
    }

    /** The token for a peek that drops the message: the provider writes to it here too, whatever its mode. */
    static long drop(Endpoint endpoint, long context) {
        return endpoint.claims().acquire(context, null, ContextSlab.PLAIN);
    }

    /** The token of the reserved message, whose next completion is its last. */
    static long use(Endpoint endpoint, long context, Object keep) {
        long token = endpoint.claims().find(context, ContextSlab.CLAIMED);
        if (token == 0) {
            throw new IllegalStateException("no message is reserved under context " + context
                    + "; peekAndClaim it first, with a completion that is no error");
        }
        endpoint.domain().contexts().find(token).fill(context, keep, ContextSlab.PLAIN);
        return token;
    }
}
