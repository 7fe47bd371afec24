// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house.broken.internal.endpoint;

import io.jfabric.house.broken.internal.post.Basement;
import java.lang.foreign.Linker;

/** Makes a cycle, and downcalls. */
public class Roof {
    private Basement basement;

    Object call() {
        return Linker.nativeLinker() == null ? basement : null;
    }
}
