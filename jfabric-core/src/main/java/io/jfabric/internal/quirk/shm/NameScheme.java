// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

/** What names of endpoints may begin with, such as {@code fi_shm://}: the provider does not look at it. */
final class NameScheme {
    private static final String END = "://";

    private NameScheme() {
    }

    /** Where the name begins behind it; 0 if there is none. */
    static int end(String name) {
        int at = name.indexOf(END);
        return at < 0 ? 0 : at + END.length();
    }

    /** A name without its scheme, and without what may be before it to make it another to the provider. */
    static String plain(String name) {
        int at = end(name);
        while (at < name.length() && name.charAt(at) == '/') {
            at++;
        }
        return name.substring(at);
    }
}
