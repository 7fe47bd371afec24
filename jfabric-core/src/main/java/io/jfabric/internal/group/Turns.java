// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * How many groups of a name were closed without a failure: which of its name the open one is, or else the next one will
 * be. The same at all members. Programs may make millions of names: of those not used for long it only knows that there
 * were some.
 */
final class Turns {
    /** Less than 0, as all that are not known. */
    private static final int UNKNOWN = -1;

    private final SequencedMap<Long, Integer> known = new LinkedHashMap<>();
    private final Numbers forgotten = new Numbers();
    private final int most;

    Turns(int most) {
        this.most = most;
    }

    /** Less than 0 if it is not known. */
    int of(long group) {
        return known.getOrDefault(group, forgotten.has(Tags.number(group)) ? UNKNOWN : 0);
    }

    void next(long group) {
        int turn = of(group);
        // past the highest number it is not known, either
        known.putLast(group, turn < 0 ? turn : turn + 1);
        if (known.size() > most) {
            forgotten.add(Tags.number(known.pollFirstEntry().getKey()));
        }
    }
}
