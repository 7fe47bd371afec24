// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house.broken;

import io.jfabric.house.broken.internal.endpoint.Roof;

/** Shows code, and calls it from where it must not. */
public interface Contract {
    static String open() {
        return new Roof().toString();
    }

    Roof roof();

    default void leak() {
        new Roof().hashCode();
    }
}
