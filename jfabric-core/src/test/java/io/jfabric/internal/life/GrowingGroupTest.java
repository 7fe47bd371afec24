// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is to be closed becomes more, as threads that are still inside open something, and something in that. */
@Timeout(60)
class GrowingGroupTest {
    private record Thing(Entry entry) implements Guarded {
    }

    @Test
    void allOfItIsParked() {
        List<Thing> all = IntStream.range(0, 5).mapToObj(i -> new Thing(new SharedEntry(1 + i, true))).toList();
        List<Thing> found = new ArrayList<>();
        List<Thing> parked = new ArrayList<>();
        Closing.run(() -> {
            if (found.size() < all.size()) {
                found.add(all.get(found.size()));
            }
            return found;
        }, () -> all.stream().filter(thing -> thing.entry.isParked()).forEach(parked::add));
        assertThat(parked).isEqualTo(all);
        assertThat(all).noneMatch(thing -> thing.entry.isParked());
    }
}
