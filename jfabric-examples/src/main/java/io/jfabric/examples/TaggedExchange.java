// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.Completion;
import io.jfabric.CompletionFlag;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sends messages whose tags, not their order, decide which buffer they arrive in. Look at the tag, of which one half
 * is a kind and the other a number here, and at the mask of bits to ignore, with which one receive takes any number.
 *
 * <p>Usage: TaggedExchange [PROVIDER], such as shm (the default) or tcp
 */
public final class TaggedExchange {
    private static final long NEWS = 1L << 32;
    private static final long MAIL = 2L << 32;
    private static final long ANY_NUMBER = 0xffff_ffffL;
    private static final int MESSAGES = 3;

    private final MemorySegment[] buffers = new MemorySegment[MESSAGES];
    private int sent;
    private int received;

    private TaggedExchange() {
    }

    /** Takes the name of a provider. */
    public static void main(String[] args) {
        try (Hints hints = Hints.create()
                .provider(args.length > 0 ? args[0] : "shm")
                .endpointType(EndpointType.RDM)
                .capabilities(Capability.TAGGED)
                .oneThread();
                FabricInfoList infos = Fabric.getInfo(hints)) {
            new TaggedExchange().run(infos.first());
        }
    }

    private void run(FabricInfo info) {
        // an endpoint that only sends, and says so: it takes no messages that are the other's
        FabricInfo sends = info.duplicate().capabilities(Capability.TAGGED, Capability.SEND);
        try (sends;
                Fabric fabric = Fabric.open(info);
                Domain domain = fabric.openDomain(info);
                FabricArena arena = domain.openArena();
                AddressVector peers = domain.openAddressVector();
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                Endpoint sender = domain.openEndpoint(sends).bind(queue, TRANSMIT, RECV).bind(peers).enable();
                Endpoint receiver = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable()) {
            long destination = peers.insert(receiver.address());

            receive(receiver, queue, arena, 0, MAIL | 7, 0);
            receive(receiver, queue, arena, 1, NEWS, ANY_NUMBER);
            receive(receiver, queue, arena, 2, MAIL, ANY_NUMBER);

            send(sender, queue, arena.allocateFrom("news 1"), destination, NEWS | 1);
            send(sender, queue, arena.allocateFrom("mail 8"), destination, MAIL | 8);
            send(sender, queue, arena.allocateFrom("mail 7"), destination, MAIL | 7);

            while (sent < MESSAGES || received < MESSAGES) {
                queue.poll(this::completed, 8);
            }
            Expect.same("the buffers", List.of("mail 7", "news 1", "mail 8"),
                    Stream.of(buffers).map(buffer -> buffer.getString(0)).toList());
        }
    }

    private void receive(Endpoint endpoint, CompletionQueue queue, FabricArena arena, int index, long tag,
            long ignore) {
        buffers[index] = arena.allocate(64);
        // the context tells later which of the buffers it was
        while (!endpoint.tagged().receive(buffers[index], Address.ANY, tag, ignore, index)) {
            queue.poll(this::completed, 1);
        }
    }

    private void send(Endpoint endpoint, CompletionQueue queue, MemorySegment message, long destination, long tag) {
        while (!endpoint.tagged().send(message, destination, tag, 0)) {
            queue.poll(this::completed, 1);
        }
    }

    private void completed(Completion completion) {
        if (!completion.is(CompletionFlag.RECV)) {
            sent++;
            return;
        }
        received++;
        int index = (int) completion.context();
        System.out.printf("buffer %d: \"%s\", tag %x%n", index, buffers[index].getString(0), completion.tag());
    }
}
