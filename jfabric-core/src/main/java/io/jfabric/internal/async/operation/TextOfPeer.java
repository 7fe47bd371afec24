// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Text that a peer has sent. */
public final class TextOfPeer {
    private TextOfPeer() {
    }

    /**
     * It ends up in exceptions, and so in logs: control characters, which might steer a terminal, become question
     * marks. A text of several lines becomes one, as nobody could tell its lines from the log's own.
     */
    public static String of(MemorySegment bytes) {
        StringBuilder text = new StringBuilder(new String(bytes.toArray(ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8));
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            if (one == '\n' || one == '\r' || one == '\t') {
                text.setCharAt(i, ' ');
            } else if (isControl(one)) {
                text.setCharAt(i, '?');
            }
        }
        return text.toString();
    }

    /** Also line separators, and characters that turn the direction of what follows. */
    private static boolean isControl(char one) {
        return Character.isISOControl(one) || one >= '\u2028' && one <= '\u202E' || one >= '\u2066' && one <= '\u2069';
    }
}
