// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import java.io.PrintStream;
import java.util.Locale;

/** What {@code -v} prints on stderr. */
final class Trace {
    private final PrintStream out;

    /**
     * A trace, or none.
     *
     * @param out where to; null for silence
     */
    Trace(PrintStream out) {
        this.out = out;
    }

    void say(String format, Object... args) {
        if (out != null) {
            out.println("[debug] " + String.format(Locale.ROOT, format, args));
        }
    }
}
