// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ops;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sets of functions found so far, each of them once: a set is a record, and which one an object has is then a
 * comparison of two references.
 *
 * <p>The set that was the latest when the first operation was begun stays a constant of its class, and records are
 * constant all the way to C2: it calls such a function without first looking at what kind of segment holds its
 * address, five loads in a row. Objects of another provider in the same process are called the longer way.
 */
final class FunctionSets<F extends Record> {
    private final Map<F, F> sets = new ConcurrentHashMap<>();
    private volatile F latest;

    /** The one set that is equal to {@code found}. */
    F of(F found) {
        F before = sets.putIfAbsent(found, found);
        F one = before == null ? found : before;
        latest = one;
        return one;
    }

    /** The last that was asked for; null if none was. */
    F latest() {
        return latest;
    }
}
