// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.io.UncheckedIOException;

/**
 * What goes over the wire after the magic: a length of 4 bytes (of what follows), a type of 1, a body. What is sent to
 * many ranks has one body, and before it a head of each.
 */
record Frame(byte type, byte[] head, byte[] body) {
    /** First bytes of both sides. */
    static final byte[] MAGIC = {'J', 'F', 'R', '1'};
    static final int NONCE = 32;

    /** Server: a nonce. Client: {@link Hello}. */
    static final byte CHALLENGE = 1;
    static final byte HELLO = 2;
    /** Server: {@link Welcome} when all are there. */
    static final byte WELCOME = 3;
    /** Server: a text; then it closes. */
    static final byte REFUSED = 4;
    /** Client: keys and values. */
    static final byte COMMIT = 5;
    /** Client: request, deadline, kind, value. */
    static final byte FENCE = 6;
    /** Client: request, deadline, rank, key. */
    static final byte GET = 7;
    /** Server: request, bytes. */
    static final byte RESULT = 8;
    /** Server: request, text, a lost rank if that was the reason. */
    static final byte FAILURE = 9;
    /** Server: a lost rank. */
    static final byte LOST = 10;
    /** Both: exit code, text. */
    static final byte ABORT = 11;
    /** Both: nothing, so that the other side hears something. */
    static final byte PING = 12;
    /** Client: leaves in peace; the server answers the same. */
    static final byte BYE = 13;
    /** Server: nothing more comes, nobody is lost. */
    static final byte ENDS = 14;
    /** Client: a request whose answer it waits for no longer. */
    static final byte GIVE_UP = 15;

    /** What a stranger may send at most. */
    static final int HELLO_LIMIT = 4 << 10;
    /** What a member may send at most. */
    static final int MEMBER_LIMIT = 4 << 20;
    /** What the server may send at most: a value of each rank. */
    static final int SERVER_LIMIT = 1 << 30;
    private static final byte[] NOTHING = {};

    /** Writes a body. */
    interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    /** Reads a body. */
    interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    Frame(byte type, byte[] body) {
        this(type, NOTHING, body);
    }

    /** With a body that other frames have, too. */
    static Frame shared(byte type, int head, byte[] body) {
        return new Frame(type, bytes(out -> out.writeInt(head)), body);
    }

    static Frame of(byte type, Writer writer) {
        return new Frame(type, bytes(writer));
    }

    static Frame empty(byte type) {
        return new Frame(type, NOTHING);
    }

    static byte[] bytes(Writer writer) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            writer.write(new DataOutputStream(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return body.toByteArray();
    }

    /** The body must have what the reader reads, and nothing more. */
    <T> T parse(Reader<T> reader) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(body));
        T result;
        try {
            result = reader.read(in);
        } catch (EOFException | UTFDataFormatException e) {
            throw new ProtocolException("a frame of type " + type + " with a body of " + body.length + " bytes");
        }
        if (in.available() > 0) {
            throw new ProtocolException("a frame of type " + type + " has " + in.available() + " bytes too many");
        }
        return result;
    }

    static Frame read(DataInputStream in, int limit) throws IOException {
        int length = in.readInt();
        if (length < 1 || length > limit) {
            throw new ProtocolException("a frame of " + Integer.toUnsignedString(length) + " bytes, of at most "
                    + limit);
        }
        byte type = in.readByte();
        byte[] body = in.readNBytes(length - 1);
        if (body.length < length - 1) {
            throw new EOFException("the end of the stream within a frame");
        }
        return new Frame(type, body);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(head.length + body.length + 1);
        out.writeByte(type);
        out.write(head);
        out.write(body);
    }

    /** Expects one type. */
    Frame expect(byte expected) throws ProtocolException {
        if (type != expected) {
            throw new ProtocolException("a frame of type " + type + " where " + expected + " should be");
        }
        return this;
    }

    static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        // more than is there: also what would not fit into memory
        if (length < 0 || length > in.available()) {
            throw new ProtocolException("a value of " + Integer.toUnsignedString(length) + " bytes in "
                    + in.available());
        }
        return in.readNBytes(length);
    }

    static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
