// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

/**
 * What a caller and its service have agreed on.
 *
 * @param connection the service's number for the caller
 * @param key the key that requests must carry
 * @param inlineBytes the longest payload that goes in one message with the header
 * @param largest the longest request that the service takes
 */
record Session(int connection, long key, int inlineBytes, long largest) {
    /** For calls that have ended with their session. */
    static final Session OVER = new Session(0, 0, 0, 0);
}
