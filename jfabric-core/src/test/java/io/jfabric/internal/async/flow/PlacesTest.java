// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Places that several lanes share. */
class PlacesTest {
    @Test
    void asManyAsThereAre() {
        Places places = new Places(2);
        assertThat(places.enter()).isTrue();
        assertThat(places.enter()).isTrue();
        assertThat(places.enter()).isFalse();
        assertThat(places.enter()).isFalse();
        places.leave();
        assertThat(places.enter()).as("the refused took none").isTrue();
        assertThat(places.enter()).isFalse();
    }
}
