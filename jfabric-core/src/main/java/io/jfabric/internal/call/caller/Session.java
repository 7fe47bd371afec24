// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

/**
 * What caller and service have agreed on.
 *
 * @param connection the service's number for it
 * @param key what requests must have
 * @param inlineBytes how long a payload may be that follows its header at once
 * @param largest the longest request that the service takes
 */
record Session(int connection, long key, int inlineBytes, long largest) {
    /** Of calls that have ended with theirs. */
    static final Session OVER = new Session(0, 0, 0, 0);
}
