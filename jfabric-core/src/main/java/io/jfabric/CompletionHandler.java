// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * Takes what {@link CompletionQueue#poll} read. Called in the polling thread, outside native code: it may throw, post
 * operations, poll and close.
 */
@FunctionalInterface
public interface CompletionHandler {
    /**
     * An operation has completed.
     *
     * @param completion a view that is used again for the next one: read what you need, do not keep it
     */
    void onCompletion(Completion completion);

    /**
     * An operation has failed. Throws by default.
     *
     * @param error what failed and why; may be kept
     */
    default void onError(CompletionError error) {
        throw error.toException();
    }
}
