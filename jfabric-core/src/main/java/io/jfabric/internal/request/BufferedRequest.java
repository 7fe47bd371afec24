// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.FabricException;
import io.jfabric.Request;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.post.LocalBuffers;
import io.jfabric.internal.post.OperationKind;

/** What requests for messages of both kinds do with their buffers. */
abstract sealed class BufferedRequest<R extends Request<R>> extends RequestImpl<R>
        permits MessageRequestImpl, TaggedRequestImpl {
    BufferedRequest(EndpointState state, Gate gate, OperationKind operation) {
        super(state, gate, operation);
    }

    @Override
    final void startTable() {
        if (state.localBuffers() == null) {
            table.clear();
        } else {
            state.localBuffers().start(table, !operation.receives());
        }
    }

    @Override
    final Object prepare(Object keep) {
        return state.localBuffers() == null ? keep
                : state.localBuffers().prepare(table, !operation.receives(), keep);
    }

    @Override
    final void describeRegistered(String name) {
        LocalBuffers local = state.localBuffers();
        if (local == null) {
            return;
        }
        if (local.hasPrefix(!operation.receives())) {
            throw FabricException.of(name, Errno.EOPNOTSUPP, "provider " + state.info().provider()
                    + " wants a prefix before messages (FI_MSG_PREFIX), which jfabric supports only for operations "
                    + "that start at once");
        }
        local.describeRegistered(name, table, 0, operation.receives());
    }
}
