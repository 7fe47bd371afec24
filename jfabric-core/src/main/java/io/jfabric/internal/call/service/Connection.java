// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.async.peer.PeerImpl;

/**
 * A caller that has said hello.
 *
 * @param number its place among the callers
 * @param key what its requests must have
 * @param callerKey what answers to it must have
 * @param peer where it is
 * @param tag where its answers go
 * @param inlineBytes how long a payload may be that follows its header at once
 */
record Connection(int number, long key, long callerKey, PeerImpl peer, long tag, int inlineBytes) {
}
