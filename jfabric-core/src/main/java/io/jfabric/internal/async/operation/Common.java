// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Endpoint;
import io.jfabric.async.Node;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.peer.Peers;
import io.jfabric.internal.async.peer.Requests;

/**
 * What all operations of a node need from it.
 *
 * @param endpoint null for a connection-oriented node
 * @param directed whether receives can be from one peer only
 * @param pieces how many buffers a message may have
 * @param receivedPieces how many buffers a message may be received into
 * @param transferredPieces how many buffers may be written or read at once
 * @param requests for receives by that endpoint
 * @param receives the lane of the program's receives from anybody
 * @param ownReceives the lane for standing receives of the node's own messages, not behind the program's
 * @param payloads the lane for payloads of calls, so that standing receives do not wait behind those
 */
public record Common(Node node, Endpoint endpoint, boolean directed, long pieces, long receivedPieces,
        long transferredPieces, Requests requests, Drive drive, Peers peers, Lane receives, Lane ownReceives,
        Lane payloads, Scratch scratch, Masks masks) {
}
