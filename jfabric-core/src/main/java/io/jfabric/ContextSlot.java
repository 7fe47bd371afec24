// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * An operation context: the token a provider gets, what the user gave, and what must stay reachable. One small object
 * each, used over and over, so that an operation touches one or two cache lines.
 */
final class ContextSlot {
    /** Among the kinds of {@link ContextSlab}: no operation has the slot. */
    static final byte FREE = -1;

    /** What the provider has; another one for every operation, unless it is an address. */
    long token;
    long context;
    Object kept;
    byte kind = FREE;
    /** Whose operations these are; null while nobody's. */
    ContextSlab owner;
    /** Link in the slab's stack of returned slots. */
    ContextSlot next;

    ContextSlot(long token) {
        this.token = token;
    }

    /** An operation takes the slot; returns its token. */
    long fill(long newContext, Object keep, byte newKind) {
        context = newContext;
        // A reference store costs a GC barrier; a loop that posts the same buffer over and over pays it once.
        if (kept != keep) {
            kept = keep;
        }
        kind = newKind;
        return token;
    }

    /** The operation is over. A plain buffer stays reachable until the slot is used again. */
    void expire(long generation) {
        if (kind != ContextSlab.PLAIN) {
            letGo();
        }
        kind = FREE;
        token += generation;
    }

    void letGo() {
        if (kind != FREE && kept instanceof Kept resources) {
            resources.release();
        }
        kept = null;
    }
}
