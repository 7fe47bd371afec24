// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.internal.ffi.Errno;

/**
 * A message that a peek reserved. The context is the one the provider noted it in, under the name the user gave it. It
 * can be claimed only after the peek has completed, and only once, as providers follow what they noted without checking
 * it.
 */
public final class ClaimedMessage {
    private ClaimedMessage() {
    }

    /** The token for a peek that claims; it outlives the completion of the peek. */
    public static long reserve(Contexts contexts, long context, Object keep) {
        return contexts.claims().acquire(context, keep, ContextSlab.CLAIM);
    }

    /** The token for a peek that drops the message: here too the provider writes to the context, whatever its mode. */
    public static long drop(Contexts contexts, long context, Object keep, byte kind) {
        return contexts.claims().acquire(context, keep, kind);
    }

    /** The token of the reserved message, whose next completion is its last. */
    public static long use(Contexts contexts, long context, Object keep, byte kind, long room) {
        KeptMemory.checkAlive(keep);
        ContextSlab claims = contexts.claims();
        // if several threads claim the same message, one gets it
        synchronized (claims) {
            long token = claims.find(context, ContextSlab.CLAIMED);
            if (token != 0) {
                return contexts.registry().find(token).fill(context, keep, kind, SilentReceives.whole(keep, room));
            }
        }
        Kept.release(keep);
        throw new IllegalStateException("no message is reserved under context " + context
                + "; peekAndClaim it first, with a completion that is not an error");
    }

    /** Whether a provider that gives this result for a claim still has the message: it looked no further. */
    public static boolean remains(long result) {
        return result == -Errno.EAGAIN || result == -Errno.ENOMSG;
    }

    /** The claim was refused; the message can be claimed again. */
    public static void putBack(Contexts contexts, long token) {
        ContextSlot slot = contexts.registry().find(token);
        synchronized (contexts.claims()) {
            slot.letGo();
            slot.fill(slot.context, null, ContextSlab.CLAIMED, ContextSlot.UNBOUNDED);
        }
    }
}
