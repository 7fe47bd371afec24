// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens endpoints of a provider in a small /dev/shm, of which it leaves so many bytes, and uses all memory that they
 * have there: {@link ShmRoomTest}.
 */
final class ShmRoom {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final int MOST = 60;
    private static final int MESSAGES = 1024;
    private static final int BYTES = 4000;

    private ShmRoom() {
    }

    public static void main(String[] args) throws IOException {
        long leave = Long.parseLong(args[1]);
        // before 2.0 nothing is offered when there is too little room
        try (FabricInfoList infos = new Providers.Choice(args[0], EndpointType.RDM).find(hints -> { });
             FabricInfo info = infos.first().duplicate()) {
            Path filler = FOLDER.resolve("filler");
            // sm2 has one file for all, with places that others have had
            open(info, Integer.parseInt(args[2]));
            fill(filler, leave);
            System.out.println(open(info, MOST) + " opened");
            Files.delete(filler);
            if (open(info, 2) != 2) {
                throw new AssertionError("what was refused has left something behind");
            }
        }
        System.out.println("SURVIVED");
    }

    private static void fill(Path filler, long leave) throws IOException {
        byte[] block = new byte[1 << 16];
        try (OutputStream out = Files.newOutputStream(filler)) {
            long spare;
            while ((spare = Files.getFileStore(FOLDER).getUsableSpace() - leave) > 0) {
                out.write(block, 0, (int) Math.min(block.length, spare));
            }
        }
    }

    private static int open(FabricInfo info, int most) {
        try (Fabric fabric = Fabric.open(info)) {
            Domain domain = fabric.openDomain(info);
            List<Side> open = new ArrayList<>();
            try {
                while (open.size() < most) {
                    open.add(open(domain, info));
                }
            } catch (FabricException e) {
                System.out.println(e.getMessage());
            }
            open.forEach(ShmRoom::use);
            return open.size();
        }
    }

    private static Side open(Domain domain, FabricInfo info) {
        CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
        AddressVector vector = domain.openAddressVector();
        Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector);
        return new Side(endpoint.enable(), queue, vector);
    }

    /** As many messages as it can have under way, to itself. */
    private static void use(Side side) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment out = Bytes.pattern(arena, BYTES, 1);
            MemorySegment in = arena.allocate(BYTES);
            long own = side.addresses.insert(side.endpoint.address());
            int sent = 0;
            while (sent < MESSAGES && side.endpoint.messages().send(out, own, 1)) {
                sent++;
                side.poll();
            }
            for (int i = 0; i < sent; i++) {
                in.fill((byte) 0);
                side.endpoint.messages().receive(in, Address.ANY, 2);
                while (side.take(done -> done.context() == 2) == null) {
                    side.poll();
                }
                if (in.mismatch(out) != -1) {
                    throw new AssertionError("message " + i + " of " + sent);
                }
            }
        }
    }
}
