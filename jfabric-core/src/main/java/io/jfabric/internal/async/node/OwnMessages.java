// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.post.TagBits;

/** Checks what the node's own messages need, as they have tags. */
final class OwnMessages {
    private OwnMessages() {
    }

    static void require(String operation, NodeImpl node, boolean connectionless) {
        if (!connectionless) {
            throw new IllegalStateException(operation + ": this node is connection-oriented (Hints.msg()) and has no "
                    + "tagged messages; open one with Hints.rdm()");
        }
        FabricInfo info = node.info();
        if (!NodeImpl.mayHave(info, Capability.TAGGED)) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "the node was opened without the capability "
                    + "FI_TAGGED: ask for Capability.TAGGED in the hints");
        }
        if (TagBits.of(info) < OwnTags.BITS) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "the node's own messages have tags of "
                    + OwnTags.BITS + " bits, and this offer of provider " + info.provider() + " carries "
                    + TagBits.of(info) + " (mem_tag_format): choose one with more; asking for "
                    + "cqDataSize may cost some");
        }
        if (!node.isOpen()) {
            throw new IllegalStateException(operation + ": the node is closed");
        }
    }
}
