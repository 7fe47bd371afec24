// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** What the launcher has answered: names and values. */
record Reply(String text, Map<String, String> values) {
    /** Of name=value, separated by blanks (PMI-1) or semicolons (PMI-2). */
    static Reply of(String text, char separator) {
        Map<String, String> values = new HashMap<>();
        for (String part : text.split(String.valueOf(separator))) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(part.substring(0, equals).strip(), part.substring(equals + 1));
            }
        }
        return new Reply(text, values);
    }

    boolean answers(String command) {
        return command.equals(values.get("cmd"));
    }

    Reply expect(String command) throws IOException {
        if (!answers(command)) {
            throw new IOException("the launcher has answered \"" + text + "\" where cmd=" + command + " should be");
        }
        return this;
    }

    /** A return code that is not there is good. */
    boolean good() {
        return values.getOrDefault("rc", "0").strip().equals("0");
    }

    Reply orThrow() throws IOException {
        if (!good()) {
            throw new IOException("the launcher has answered \"" + text + "\"");
        }
        return this;
    }

    int number(String name) throws IOException {
        try {
            return Integer.parseInt(values.getOrDefault(name, "").strip());
        } catch (NumberFormatException e) {
            throw new IOException("the launcher has answered \"" + text + "\" without a number " + name, e);
        }
    }
}
