// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import io.jfabric.Fabric;
import io.jfabric.info.FabricInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What a rank tells the others of its node or endpoint: its address, and what has to be the same everywhere. */
record Card(String jfabric, String libfabric, String provider, byte[] address) {
    private static final int MAGIC = 0x6a66_6361;

    static Card of(FabricInfo info, byte[] address) {
        return new Card(Fabric.jfabricVersion(), Fabric.versionText(), info.provider() + " "
                + info.endpoint().type().nativeName(), address);
    }

    /** Throws if it is none. */
    static Card read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (in.readInt() != MAGIC) {
            throw new IOException("it does not begin as one");
        }
        return new Card(in.readUTF(), in.readUTF(), in.readUTF(), in.readAllBytes());
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeUTF(jfabric);
            out.writeUTF(libfabric);
            out.writeUTF(provider);
            out.write(address);
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return bytes.toByteArray();
    }

    /** Whether the two can speak with each other, as far as is known. */
    boolean fits(Card other) {
        return jfabric.equals(other.jfabric) && provider.equals(other.provider);
    }

    String text() {
        return provider + ", jfabric " + jfabric + ", libfabric " + libfabric;
    }
}
