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
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.MemorySegment;

/**
 * Writes into the memory of a peer that does nothing for it, tells the peer by immediate data, and reads the memory
 * back. Look at the region: as bytes it could go to another process, and it is used the same way on all providers.
 *
 * <p>Usage: RemoteWrite [PROVIDER], such as shm (the default) or tcp
 */
public final class RemoteWrite {
    private boolean written;
    private boolean read;
    private long told = -1;

    private RemoteWrite() {
    }

    /** Takes the name of a provider. */
    public static void main(String[] args) {
        try (Hints hints = Hints.create()
                .provider(args.length > 0 ? args[0] : "shm")
                .endpointType(EndpointType.RDM)
                .capabilities(Capability.RMA)
                .oneThread();
                FabricInfoList infos = Fabric.getInfo(hints)) {
            new RemoteWrite().run(infos.first());
        }
    }

    private void run(FabricInfo info) {
        try (Fabric fabric = Fabric.open(info);
                Domain domain = fabric.openDomain(info);
                FabricArena arena = domain.openArena();
                AddressVector peers = domain.openAddressVector();
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.DATA);
                Endpoint writer = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable();
                Endpoint owner = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable();
                MemoryRegion registered = owner.register(arena.allocate(4096, 8), MemoryAccess.REMOTE_READ,
                        MemoryAccess.REMOTE_WRITE)) {
            long peer = peers.insert(owner.address());
            MemorySegment memory = registered.memory();
            byte[] sentToTheWriter = registered.remote().toBytes();

            RemoteRegion region = RemoteRegion.of(sentToTheWriter);
            MemorySegment message = arena.allocateFrom("written from afar");
            while (!writer.rma().writeData(message, 42, peer, region, 1000, 1)) {
                queue.poll(this::completed, 8);
            }
            while (!written || told < 0) {
                queue.poll(this::completed, 8);
            }
            Expect.same("the immediate data", 42L, told);
            Expect.same("the memory", message.getString(0), memory.getString(1000));
            System.out.printf("told %d, memory has \"%s\"%n", told, memory.getString(1000));

            MemorySegment copy = arena.allocate(message.byteSize());
            while (!writer.rma().read(copy, peer, region, 1000, 2)) {
                queue.poll(this::completed, 8);
            }
            while (!read) {
                queue.poll(this::completed, 8);
            }
            Expect.same("the copy", message.getString(0), copy.getString(0));
            System.out.printf("read back \"%s\"%n", copy.getString(0));
        }
    }

    private void completed(Completion completion) {
        // what this side started has a context, what comes from the peer has none
        if (completion.context() == 1) {
            written = true;
        } else if (completion.context() == 2) {
            read = true;
        } else if (completion.is(CompletionFlag.REMOTE_CQ_DATA)) {
            told = completion.data();
        }
    }
}
