// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.post.Limits;

/** What is checked of an info before something is opened with it. */
public final class EndpointOpening {
    private EndpointOpening() {
    }

    public static void check(String operation, FabricInfoImpl info) {
        info.requireOffered(operation);
        Limits.checkDefaults(info, operation, info.tx().operationFlags());
        Limits.checkDefaults(info, operation, info.rx().operationFlags());
    }
}
