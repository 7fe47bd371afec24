// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

/** What became of a trial. */
enum Result {
    YES("yes"), NONE("-"), FAIL("FAIL"), HANG("hang"), CRASH("crash");

    /** Of a side that had nothing wrong itself. */
    static final String OTHER_SIDE = "other";

    private final String text;

    Result(String text) {
        this.text = text;
    }

    /** As in the table. */
    String text() {
        return text;
    }

    static Result of(String text) {
        for (Result result : values()) {
            if (result.text.equals(text)) {
                return result;
            }
        }
        throw new IllegalArgumentException("no result: " + text);
    }
}
