// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import java.io.IOException;
import java.io.Serial;

/** A message that is not what {@code -c} expects. Its text is {@code fi_pingpong}'s. */
final class CorruptMessageException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    CorruptMessageException(int message, int size, long offset) {
        super("Error at iteration=" + message + " size=" + size + " byte=" + offset);
    }
}
