// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Aliases that come and go beside their endpoint, without a provider. */
@Timeout(60)
class InheritedTest {
    private static final int TIMES = 100;

    private final ContextRegistry registry = new ContextRegistry(false);

    private Contexts contexts(Object endpoint) {
        Contexts contexts = new Contexts(registry, false, false, false, false, false, Contexts.ANY_NUMBER);
        contexts.of(endpoint);
        return contexts;
    }

    private long useAlias(Contexts original, boolean isLeft) {
        Contexts alias = contexts("an alias");
        alias.reportAs(original);
        long token = alias.transmits().acquire(1, null, ContextSlab.PLAIN);
        if (!isLeft) {
            alias.transmits().release(registry.find(token));
        }
        alias.close();
        return token;
    }

    @Test
    void onlySlotsInUseStay() {
        Contexts original = contexts("an endpoint");
        long left = useAlias(original, true);
        useAlias(original, false);
        int room = registry.slots().length;
        for (int i = 2; i < TIMES; i++) {
            useAlias(original, false);
        }
        assertThat(registry.slots().length).isEqualTo(room);
        assertThat(original.statistics().posted()).isEqualTo(TIMES);
        assertThat(original.statistics().completed()).isEqualTo(TIMES - 1);
        ContextSlot slot = registry.find(left);
        assertThat(slot.owner).as("whose operation goes on").hasToString("an endpoint");
        slot.owner.release(slot);
        assertThat(original.statistics().completed()).isEqualTo(TIMES);
    }
}
