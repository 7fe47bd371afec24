// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.LostRank;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A lost rank, or none, on the wire. */
final class LostText {
    private LostText() {
    }

    static void write(DataOutputStream out, LostRank lost) throws IOException {
        out.writeBoolean(lost != null);
        if (lost != null) {
            out.writeInt(lost.rank());
            out.writeUTF(lost.host());
            out.writeUTF(Registry.shorten(lost.reason()));
        }
    }

    /** Null if there is none. */
    static LostRank read(DataInputStream in) throws IOException {
        return in.readBoolean() ? new LostRank(in.readInt(), in.readUTF(), in.readUTF()) : null;
    }
}
