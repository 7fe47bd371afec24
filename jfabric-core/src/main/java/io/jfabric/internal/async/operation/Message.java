// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import io.jfabric.Completion;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.peer.PeerImpl;

/** An operation that sends something which the other side must receive. */
abstract class Message extends Transmit {
    final long length;

    Message(Drive drive, PeerImpl peer, Lane lane, long deadline, long length) {
        super(drive, peer, lane, deadline);
        this.length = length;
    }

    @Override
    public void count(Moved moved, Completion completion) {
        moved.sent(length);
    }

    @Override
    protected final String towards() {
        return " to ";
    }
}
