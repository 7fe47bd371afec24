// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What goes to the log, which is on stderr. */
public final class Logged {
    private Logged() {
    }

    /** What is logged by any thread while the action runs. */
    public static String by(Runnable action) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }
}
