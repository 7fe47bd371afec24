// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.post.BufferTable;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.LocalBuffers;

/** What requests for messages of both kinds do with their buffers. */
final class MessageBuffers {
    private MessageBuffers() {
    }

    static void start(EndpointState state, BufferTable table, boolean sends) {
        if (state.localBuffers() == null) {
            table.clear();
        } else {
            state.localBuffers().start(table, sends);
        }
    }

    static Object prepare(EndpointState state, BufferTable table, boolean sends, Object keep) {
        return state.localBuffers() == null ? keep : state.localBuffers().prepare(table, sends, keep);
    }

    static void prepareLater(EndpointState state, BufferTable table, boolean sends, String name) {
        LocalBuffers local = state.localBuffers();
        if (local == null) {
            return;
        }
        if (local.hasPrefix(sends)) {
            throw FabricException.of(name, Errno.EOPNOTSUPP, "provider " + state.info().provider()
                    + " wants a prefix before messages (FI_MSG_PREFIX), which jfabric supports only for operations "
                    + "that start at once");
        }
        local.describeRegistered(name, table, 0, !sends);
    }
}
