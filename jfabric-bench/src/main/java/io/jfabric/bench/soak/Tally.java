// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import java.util.concurrent.atomic.LongAdder;

/** What one kind of traffic has moved. */
final class Tally {
    private final LongAdder operations = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(long length) {
        operations.increment();
        bytes.add(length);
    }

    long operations() {
        return operations.sum();
    }

    long bytes() {
        return bytes.sum();
    }
}
