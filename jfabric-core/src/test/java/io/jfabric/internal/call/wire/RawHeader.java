// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A header as another implementation would read or write it, by offsets: what stands where must not change within a
 * version of the protocol.
 */
public record RawHeader(int first, int connection, long key, long id, long length, long time, long more) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public static RawHeader of(MemorySegment at) {
        return new RawHeader(at.get(INT, 0), at.get(INT, 4), at.get(LONG, 8), at.get(LONG, 16), at.get(LONG, 24),
                at.get(LONG, 32), at.get(LONG, 40));
    }

    public void write(MemorySegment at) {
        at.set(INT, 0, first);
        at.set(INT, 4, connection);
        at.set(LONG, 8, key);
        at.set(LONG, 16, id);
        at.set(LONG, 24, length);
        at.set(LONG, 32, time);
        at.set(LONG, 40, more);
    }

    /** "jf", the version, and which message it is. */
    public static int first(int type) {
        return 'j' | 'f' << 8 | 3 << 16 | type << 24;
    }
}
