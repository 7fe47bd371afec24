// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.Waitable;
import io.jfabric.async.Engine;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Threading;
import io.jfabric.internal.async.drive.NodeParts;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.memory.FabricArenaImpl;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import java.util.List;
import java.util.Objects;

/** Opens a node: what libfabric wants opened, bound and enabled, in that order. */
public final class NodeOpening {
    private static final Log LOG = Log.of(Node.class);

    private NodeOpening() {
    }

    public static Node open(Hints hints, NodeOptions options) {
        Objects.requireNonNull(hints, "Node.open: the hints are null");
        try (Hints own = Hints.copyOf(hints)) {
            if (own.domain().threading() == Threading.UNSPEC) {
                own.domain().threading(Threading.SAFE);
            }
            try (FabricInfoList infos = Fabric.getInfo(own)) {
                return open(infos.first(), options);
            }
        }
    }

    public static Node open(FabricInfo info, NodeOptions options) {
        Objects.requireNonNull(info, "Node.open: the info is null");
        Objects.requireNonNull(options, "Node.open: the options are null");
        FabricInfo own = info.duplicate();
        Fabric fabric = null;
        try {
            // any thread posts, and another polls
            own.domain().threading(Threading.SAFE);
            fabric = Fabric.open(own);
            return open(own, fabric, options);
        } catch (Throwable e) {
            try {
                if (fabric != null) {
                    fabric.close();
                }
            } catch (RuntimeException notClosed) {
                e.addSuppressed(notClosed);
            }
            own.close();
            throw e;
        }
    }

    private static Node open(FabricInfo info, Fabric fabric, NodeOptions options) {
        Domain domain = fabric.openDomain(info);
        boolean wantsDescriptor = !options.callerProgress()
                && options.engine().map(Engine::idle).orElse(options.idle()).blocking();
        CompletionQueue queue = openQueue(domain, info, options, wantsDescriptor);
        boolean hasDescriptor = queue.requestedWaitObject() == WaitObject.FD;
        NodeParts parts;
        if (info.endpoint().type() == EndpointType.MSG) {
            EventQueue events = openEvents(fabric, hasDescriptor);
            parts = new NodeParts(info, fabric, domain, null, queue, events, null, openMemory(domain),
                    hasDescriptor && events.requestedWaitObject() == WaitObject.FD ? List.of(queue, events)
                            : List.of());
        } else {
            AddressVector vector = domain.openAddressVector();
            Endpoint endpoint = domain.openEndpoint(info).bind(vector)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).enable();
            parts = new NodeParts(info, fabric, domain, vector, queue, null, endpoint, openMemory(domain),
                    hasDescriptor ? List.<Waitable>of(queue) : List.of());
        }
        Node node = new NodeImpl(parts, options).begin();
        parts.keep();
        return node;
    }

    /** For all memory of the node itself, and what its users share. */
    private static FabricArena openMemory(Domain domain) {
        return ((FabricArenaImpl) domain.openArena())
                .keep("Node.memory: the arena is the node's: it is freed when the node is closed");
    }

    private static EventQueue openEvents(Fabric fabric, boolean wantsDescriptor) {
        if (wantsDescriptor) {
            try {
                return fabric.openEventQueue(EventQueueAttributes.DEFAULT.withWaitObject(WaitObject.FD));
            } catch (FabricException none) {
                LOG.debug("{} has no file descriptor for events", fabric.provider(), none);
            }
        }
        return fabric.openEventQueue();
    }

    private static CompletionQueue openQueue(Domain domain, FabricInfo info, NodeOptions options,
            boolean wantsDescriptor) {
        CompletionFormat format = NodeImpl.mayHave(info, Capability.TAGGED)
                ? CompletionFormat.TAGGED : CompletionFormat.DATA;
        // one queue for all connections, which do not know of each other
        long size = options.queueSize() == 0 && info.endpoint().type() == EndpointType.MSG
                ? (long) options.transmitLimit() + options.receiveLimit() : options.queueSize();
        CompletionQueueAttributes attributes = CompletionQueueAttributes.of(format).withSize(size);
        if (wantsDescriptor) {
            try {
                CompletionQueue queue = domain.openCompletionQueue(attributes.withWaitObject(WaitObject.FD));
                try {
                    queue.fileDescriptor();
                    return queue;
                } catch (FabricException none) {
                    queue.close();
                }
            } catch (FabricException none) {
                LOG.debug("{} has no file descriptors to wait for", info.provider(), none);
            }
        }
        return domain.openCompletionQueue(attributes);
    }
}
