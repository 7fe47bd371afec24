// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

/**
 * The size of the largest message that will come, as the application has said: shared by an endpoint and its aliases,
 * for which the provider keeps one number. Only one thread at a time sets it.
 */
final class LargestMessage {
    private long size;
    private boolean reliedOn;

    /** Until {@link #is} no size is set, unless the old one is relied on. Returns that; throws if it must stay. */
    synchronized long change(long next) {
        long before = size;
        if (!reliedOn) {
            size = 0;
        } else if (next != before) {
            throw new IllegalStateException("fi_setopt: a multi-receive buffer was posted already, or tried, and "
                    + "relies on messages of at most " + before + " bytes (option MIN_MULTI_RECV): set it before the "
                    + "first");
        }
        return before;
    }

    synchronized void is(long now) {
        size = now;
    }

    /** The size, at most 0 if none is set; it cannot be changed any more if it fits into that many bytes. */
    synchronized long relyOn(long room) {
        reliedOn |= size > 0 && size <= room;
        return size;
    }
}
