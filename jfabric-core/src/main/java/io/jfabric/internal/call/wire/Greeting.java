// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.node.Strangers;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a caller says in a CONNECT.
 *
 * @param peer where the caller is
 * @param tag the target of its answers
 * @param key the key that answers must carry
 * @param inlineBytes the longest payload that it takes in one message with the header
 * @param window how many calls it would like to have under way
 * @param hello the number of this hello: of two, the one with the higher number (which may wrap) is the later
 */
public record Greeting(PeerImpl peer, long tag, long key, int inlineBytes, int window, int hello) {
    private static final int LONGEST_ADDRESS = 1024;

    /** Writes the hello of a caller at that address, except for the target. */
    public static void write(MemorySegment frame, byte[] address, long tag, long key, int inlineBytes, int window,
            int hello) {
        Frame.write(frame, Frame.CONNECT, hello, key, inlineBytes, address.length, window, tag);
        MemorySegment.copy(address, 0, frame, ValueLayout.JAVA_BYTE, Frame.HEADER, address.length);
    }

    /** The length of that message. */
    public static int length(byte[] address) {
        return Frame.HEADER + address.length;
    }

    /** Null if it makes no sense or cannot be answered. The inline length is limited to what this side receives. */
    public static Greeting read(NodeImpl node, int ownInline, MemorySegment frame, long length) {
        long tag = Frame.more(frame);
        long inline = Frame.id(frame);
        if (!Frame.isWhole(frame, length) || !Wire.isReplies(tag) || inline < 0 || length - Frame.HEADER < 1
                || length - Frame.HEADER > LONGEST_ADDRESS) {
            return null;
        }
        byte[] address = frame.asSlice(Frame.HEADER, length - Frame.HEADER).toArray(ValueLayout.JAVA_BYTE);
        PeerImpl peer = Strangers.peer(node, address);
        return peer == null ? null : new Greeting(peer, tag, Frame.key(frame), (int) Math.min(inline, ownInline),
                Math.clamp(Frame.time(frame), 1, Integer.MAX_VALUE), Frame.connection(frame));
    }
}
