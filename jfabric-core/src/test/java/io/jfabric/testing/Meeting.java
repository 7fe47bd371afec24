// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import io.jfabric.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Processes learn the addresses of all, by way of the test that has started them. */
public final class Meeting {
    private static final String MINE = "ADDRESS ";

    private Meeting() {
    }

    /** In the test. */
    public static void of(List<ChildJvm> children) {
        List<String> addresses = children.stream()
                .map(child -> child.awaitLine(line -> line.startsWith(MINE)).substring(MINE.length())).toList();
        children.forEach(child -> addresses.forEach(child::tell));
    }

    /** In one of so many processes: the addresses of all, in the same order everywhere. */
    public static List<byte[]> join(byte[] mine, int size, BufferedReader in) throws IOException {
        System.out.println(MINE + HexFormat.of().formatHex(mine));
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(HexFormat.of().parseHex(in.readLine()));
        }
        return all;
    }
}
