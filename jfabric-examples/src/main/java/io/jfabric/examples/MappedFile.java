// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Copies a file into another by a single write into the peer's memory: both are mapped, so the bytes go from page cache
 * to page cache and are never in Java's heap.
 *
 * <p>Usage: MappedFile [PROVIDER], such as shm (the default) or tcp
 */
public final class MappedFile {
    private boolean written;

    private MappedFile() {
    }

    /** Takes the name of a provider. */
    public static void main(String[] args) throws IOException {
        Path from = Temporary.file(".from");
        Path to = Temporary.file(".to");
        try (Hints hints = Hints.create()
                .provider(args.length > 0 ? args[0] : "shm")
                .endpointType(EndpointType.RDM)
                .capabilities(Capability.RMA)
                .oneThread();
                FabricInfoList infos = Fabric.getInfo(hints)) {
            Files.writeString(from, "a line of the file\n".repeat(10_000));
            new MappedFile().copy(infos.first(), from, to);
            long different = Files.mismatch(from, to);
            if (different >= 0) {
                throw new IllegalStateException("the copy is different from byte " + different + " on");
            }
            System.out.printf("copied %d bytes, the same%n", Files.size(to));
        }
    }

    private void copy(FabricInfo info, Path from, Path to) throws IOException {
        // the arena unmaps the files last: a provider may use them until the endpoints are closed
        try (Arena arena = Arena.ofConfined();
                FileChannel source = FileChannel.open(from, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel target = FileChannel.open(to, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Fabric fabric = Fabric.open(info);
                Domain domain = fabric.openDomain(info);
                AddressVector peers = domain.openAddressVector();
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                Endpoint writer = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable();
                Endpoint owner = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable()) {
            long size = source.size();
            // mapping more than there is makes the file longer
            MemorySegment out = source.map(MapMode.READ_WRITE, 0, size, arena);
            MemorySegment in = target.map(MapMode.READ_WRITE, 0, size, arena);
            // what stays in use for long is worth registering, on this side too
            domain.register(out, MemoryAccess.WRITE);
            RemoteRegion region = owner.register(in, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ).remote();

            long peer = peers.insert(owner.address());
            while (!writer.rma().write(out, peer, region, 0, 1)) {
                queue.poll(completion -> { }, 8);
            }
            while (!written) {
                queue.poll(completion -> written |= completion.context() == 1, 8);
            }
            // complete says that the source may be reused; the last bytes may still be on their way
            MemorySegment last = arena.allocate(1);
            written = false;
            while (!writer.rma().read(last, peer, region, size - 1, 1)) {
                queue.poll(completion -> { }, 8);
            }
            while (!written) {
                queue.poll(completion -> written |= completion.context() == 1, 8);
            }
            in.force();
        }
    }
}
