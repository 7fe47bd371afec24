// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * What a queue has room for.
 *
 * @param reports of completions that nobody has read, where the provider writes over them
 * @param silent chunks of receives that it is not to tell of ({@link SilentReceives})
 */
public record QueueRoom(Budget reports, Budget silent) {
    /** Of a queue for so many completions, of which so many may be of silent receives. */
    public QueueRoom(long size, long silent) {
        this(new Budget(size), Budget.ofSlots(silent));
    }

    /** It has nothing more to tell of endpoints that were closed before. */
    void emptied() {
        reports.emptied();
        silent.emptied();
    }
}
