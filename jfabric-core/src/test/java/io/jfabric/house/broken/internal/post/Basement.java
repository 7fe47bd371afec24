// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house.broken.internal.post;

import io.jfabric.house.broken.internal.endpoint.Roof;

/** Knows who is above. */
public class Basement {
    private Roof roof;

    Roof roof() {
        return roof;
    }
}
