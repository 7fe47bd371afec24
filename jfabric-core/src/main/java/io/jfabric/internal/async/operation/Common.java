// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Endpoint;
import io.jfabric.async.Node;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.peer.Peers;

/**
 * What all operations of a node need of it.
 *
 * @param endpoint null for a connection-oriented node
 * @param directed whether receives can be of one peer
 * @param pieces how many buffers a message may have
 * @param receives the lane of the program's receives from anybody
 * @param ownReceives that of the node's own messages: they do not wait behind the program's
 * @param payloads that of the payloads of calls: what always waits for messages does not wait behind those
 */
public record Common(Node node, Endpoint endpoint, boolean directed, long pieces, Drive drive, Peers peers,
        Lane receives, Lane ownReceives, Lane payloads, Scratch scratch) {
}
