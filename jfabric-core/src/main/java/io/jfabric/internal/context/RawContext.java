// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * A user's context that a provider gets as it is, without a slot: two bits distinguish it from the token of a slot,
 * which is odd, and from an address.
 */
public final class RawContext {
    private static final int BITS = 2;
    private static final long MARK = 2;
    private static final long MARKS = 3;

    private RawContext() {
    }

    /** What the provider gets; throws if the context is too large. */
    public static long token(long context) {
        long token = context << BITS | MARK;
        if (of(token) != context) {
            throw tooLarge(context);
        }
        return token;
    }

    private static IllegalArgumentException tooLarge(long context) {
        return new IllegalArgumentException("context " + context + ": raw contexts have 62 bits, "
                + (Long.MIN_VALUE >> BITS) + " to " + (Long.MAX_VALUE >> BITS));
    }

    /** Whether what a completion carries is a raw context. */
    public static boolean is(long token) {
        return (token & MARKS) == MARK;
    }

    /** The user's context. */
    public static long of(long token) {
        return token >> BITS;
    }
}
