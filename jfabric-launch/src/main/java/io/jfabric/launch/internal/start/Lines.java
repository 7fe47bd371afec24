// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** What a rank prints, cut at the ends of lines alone; before each line the rank. What is begun waits for its end. */
final class Lines {
    /** What is longer is printed in lines of this length: it has to be kept until it ends, and may never end. */
    static final int LONGEST = 64 << 10;
    private final byte[] mark;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    Lines(int rank) {
        mark = ("[" + rank + "] ").getBytes(StandardCharsets.US_ASCII);
    }

    /** The lines that these bytes end. */
    byte[] add(byte[] bytes, int count) {
        ByteArrayOutputStream ended = new ByteArrayOutputStream();
        for (int from = 0; from < count;) {
            if (begun.size() == LONGEST && bytes[from] != '\n') {
                end(ended);
            }
            int limit = Math.min(count, from + LONGEST - begun.size());
            int to = from;
            while (to < limit && bytes[to] != '\n') {
                to++;
            }
            begun.write(bytes, from, to - from);
            from = to;
            if (to < count && bytes[to] == '\n') {
                end(ended);
                from++;
            }
        }
        return ended.toByteArray();
    }

    private void end(ByteArrayOutputStream ended) {
        ended.writeBytes(mark);
        ended.writeBytes(begun.toByteArray());
        ended.write('\n');
        begun.reset();
    }

    /** What was begun, and has no end. */
    byte[] rest() {
        ByteArrayOutputStream ended = new ByteArrayOutputStream();
        if (begun.size() > 0) {
            end(ended);
        }
        return ended.toByteArray();
    }
}
