// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.MemorySegment;

/**
 * An endpoint with its two queues and two buffers. Closing the fabric it was opened on closes it.
 */
final class Link {
    /** Room for the messages that are not data, whatever the size of those. */
    static final int SMALLEST_BUFFER = 64;

    private static final int PAGE = 4096;

    private final FabricInfo info;
    private final long largest;
    private final AddressVector addresses;
    private final CompletionQueue transmitted;
    private final CompletionQueue received;
    private final Endpoint endpoint;
    private final MemorySegment sendBuffer;
    private final MemorySegment receiveBuffer;

    private Link(Domain domain, FabricInfo info, EventQueue events, long largest) {
        this.largest = largest;
        transmitted = domain.openCompletionQueue(queue(info.tx().size()));
        received = domain.openCompletionQueue(queue(info.rx().size()));
        boolean connected = info.endpoint().type() == EndpointType.MSG;
        addresses = connected ? null : domain.openAddressVector(AddressVectorAttributes.DEFAULT);
        endpoint = domain.openEndpoint(info);
        this.info = endpoint.info();

        long capacity = Math.max(largest, SMALLEST_BUFFER);
        // each on pages of its own; the domain closes its arenas after its endpoints
        long offset = (capacity + PAGE - 1) / PAGE * PAGE;
        MemorySegment memory = domain.openArena().allocate(offset + capacity, PAGE);
        receiveBuffer = memory.asSlice(0, capacity);
        sendBuffer = memory.asSlice(offset, capacity);

        if (connected) {
            endpoint.bind(events);
        } else {
            endpoint.bind(addresses);
        }
        endpoint.bind(transmitted, BindFlag.TRANSMIT).bind(received, BindFlag.RECV).enable();
    }

    /**
     * Opens an endpoint and puts it into service.
     *
     * @param fabric where
     * @param info what it shall be; not needed afterwards
     * @param events for connected endpoints
     * @param wanted bytes of the largest message wanted; the endpoint may not send that much
     */
    static Link open(Fabric fabric, FabricInfo info, EventQueue events, long wanted) {
        long largest = Math.min(wanted, info.endpoint().maxMessageSize());
        return new Link(fabric.openDomain(info), info, events, largest);
    }

    private static CompletionQueueAttributes queue(long size) {
        return CompletionQueueAttributes.of(CompletionFormat.CONTEXT).withSize(size).withWaitObject(WaitObject.NONE);
    }

    FabricInfo info() {
        return info;
    }

    /** Bytes of the largest message that the endpoint can send and there is room for. */
    long largest() {
        return largest;
    }

    AddressVector addresses() {
        return addresses;
    }

    CompletionQueue transmitted() {
        return transmitted;
    }

    CompletionQueue received() {
        return received;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    MemorySegment sendBuffer() {
        return sendBuffer;
    }

    MemorySegment receiveBuffer() {
        return receiveBuffer;
    }
}
