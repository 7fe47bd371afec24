// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes that a peer sent, for people. */
public final class Octets {
    private static final int MOST = 64;
    private static final int FIRST_VISIBLE = 0x20;
    private static final int LAST_VISIBLE = 0x7E;

    private Octets() {
    }

    /** {@code 5 bytes 68656c6c6f "hello"}; what is not ASCII becomes a dot. */
    public static String text(byte[] bytes) {
        if (bytes == null || bytes.length == 0) {
            return "0 bytes";
        }
        int count = Math.min(MOST, bytes.length);
        byte[] visible = new byte[count];
        for (int i = 0; i < count; i++) {
            visible[i] = bytes[i] >= FIRST_VISIBLE && bytes[i] <= LAST_VISIBLE
                    && bytes[i] != '"' ? bytes[i] : (byte) '.';
        }
        String more = count < bytes.length ? "..." : "";
        return bytes.length + " bytes " + HexFormat.of().formatHex(bytes, 0, count) + more + " \""
                + new String(visible, StandardCharsets.US_ASCII) + more + '"';
    }
}
