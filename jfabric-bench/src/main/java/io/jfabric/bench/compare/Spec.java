// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.util.Map;

/**
 * What both programs are asked to do.
 *
 * @param kind the programs' first argument: in-process, scale or client
 * @param text the case, as on their command line
 * @param turns how often they take turns
 * @param environment of both, besides this program's own
 */
record Spec(String kind, String text, int turns, Map<String, String> environment) {
    String name() {
        return text.substring(0, text.indexOf(':'));
    }

    int bytes() {
        return Integer.parseInt(text.split(":")[1]);
    }
}
