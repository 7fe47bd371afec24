// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import io.jfabric.testkit.ChildJvm;
import java.util.HexFormat;

/** The address of a child process, which it prints as a line of its output. */
public final class ChildAddress {
    private static final String PREFIX = "address ";

    private ChildAddress() {
    }

    /** In the child. */
    public static void print(byte[] address) {
        System.out.println(PREFIX + HexFormat.of().formatHex(address));
    }

    /** In hexadecimal, as another child takes it. */
    public static String text(ChildJvm child) {
        return child.awaitLine(line -> line.startsWith(PREFIX)).substring(PREFIX.length());
    }

    public static byte[] of(ChildJvm child) {
        return HexFormat.of().parseHex(text(child));
    }
}
