// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

/**
 * The size of the largest message that will come, as the application has said: of an endpoint with its aliases, for
 * which the provider keeps one number. It is said by one thread at a time.
 */
final class LargestMessage {
    private long size;
    private boolean reliedOn;

    /** Until {@link #is} nothing is said. Returns what was; throws if that must stay. */
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

    /** What is said, at most 0 if nothing is; it stays so if it fits into that many bytes. */
    synchronized long relyOn(long room) {
        reliedOn |= size > 0 && size <= room;
        return size;
    }
}
