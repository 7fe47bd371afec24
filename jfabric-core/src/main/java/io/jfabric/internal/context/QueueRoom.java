// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * What a queue has room for.
 *
 * @param reports completions that nobody has read, where the provider would overwrite them
 * @param silent chunks of receives that it is not to report, see {@link SilentReceives}
 */
public record QueueRoom(Budget reports, Budget silent) {
    /** For a queue of so many completions, so many of which may be of silent receives. */
    public QueueRoom(long size, long silent) {
        this(new Budget(size), Budget.ofSlots(silent));
    }

    /** The queue has nothing more to report of endpoints that were closed before. */
    void emptied() {
        reports.emptied();
        silent.emptied();
    }
}
