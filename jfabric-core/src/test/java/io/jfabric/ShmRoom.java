// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens endpoints in a small /dev/shm, of which it leaves so many bytes: {@link ShmRoomTest}. */
final class ShmRoom {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final int MOST = 60;

    private ShmRoom() {
    }

    public static void main(String[] args) throws IOException {
        long leave = Long.parseLong(args[0]);
        // before 2.0 nothing is offered when there is too little room
        try (FabricInfoList infos = Providers.SHM.find(hints -> { });
             FabricInfo info = infos.first().duplicate()) {
            Path filler = FOLDER.resolve("filler");
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
            while (Files.getFileStore(FOLDER).getUsableSpace() > leave) {
                out.write(block);
            }
        }
    }

    private static int open(FabricInfo info, int most) {
        try (Fabric fabric = Fabric.open(info)) {
            Domain domain = fabric.openDomain(info);
            for (int i = 0; i < most; i++) {
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                AddressVector vector = domain.openAddressVector();
                Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(vector);
                try {
                    endpoint.enable();
                } catch (FabricException e) {
                    System.out.println(e.getMessage());
                    return i;
                }
            }
        }
        return most;
    }
}
