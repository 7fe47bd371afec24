// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * A message that a peek reserved: the context the provider noted it in, under the name the user gave it. Claimed only
 * after the peek has completed and only once, as providers follow what they noted without a look.
 */
public final class ClaimedMessage {
    private ClaimedMessage() {
    }

    /** The token for a peek that claims: lives on after its completion. */
    public static long reserve(Contexts contexts, long context) {
        return contexts.claims().acquire(context, null, ContextSlab.CLAIM);
    }

    /** The token for a peek that drops the message: the provider writes to it here too, whatever its mode. */
    public static long drop(Contexts contexts, long context) {
        return contexts.claims().acquire(context, null, ContextSlab.PLAIN);
    }

    /** The token of the reserved message, whose next completion is its last. */
    public static long use(Contexts contexts, long context, Object keep, byte kind, long room) {
        KeptMemory.checkAlive(keep);
        long token = contexts.claims().find(context, ContextSlab.CLAIMED);
        if (token == 0) {
            throw new IllegalStateException("no message is reserved under context " + context
                    + "; peekAndClaim it first, with a completion that is no error");
        }
        contexts.registry().find(token).fill(context, keep, kind, room);
        return token;
    }
}
