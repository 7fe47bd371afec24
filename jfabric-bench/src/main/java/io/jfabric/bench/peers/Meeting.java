// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.bench.vsc.Control;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What a process knows before it is connected.
 *
 * @param server whether this is the side that answers
 * @param control leads to the other side
 * @param directory for files that both sides open; in memory, deleted afterwards
 * @param largest size of the largest message
 */
record Meeting(boolean server, Control control, Path directory, int largest) {
    /** Gives the other side something and takes what it gives. */
    byte[] exchange(byte[] mine) throws IOException {
        control.send(ByteBuffer.allocate(Integer.BYTES).putInt(mine.length).array());
        control.send(mine);
        return control.receive(ByteBuffer.wrap(control.receive(Integer.BYTES)).getInt());
    }

    /** The server, which listens there, tells the client; returns the port. */
    int port(int mine) throws IOException {
        byte[] theirs = exchange(ByteBuffer.allocate(Integer.BYTES).putInt(mine).array());
        return server ? mine : ByteBuffer.wrap(theirs).getInt();
    }
}
