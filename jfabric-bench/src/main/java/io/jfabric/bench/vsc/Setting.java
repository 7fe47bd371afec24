// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import java.util.Locale;

/** How the programs open what they use. */
public enum Setting {
    /** As hints are that ask for nothing special. */
    DEFAULT,
    /** For one thread: {@code Hints.oneThread()}, and its twin in C. */
    TUNED,
    /** Tuned, and {@code Endpoint.rawContexts()}; C, which knows no others, is as tuned. */
    RAW;

    /** By what it is called on the command line. */
    public static Setting of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** As on the command line and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
