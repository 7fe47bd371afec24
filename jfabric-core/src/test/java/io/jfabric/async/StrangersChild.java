// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node of shm that knows as many others as the provider takes, and hears of one more: {@link StrangersTest}. */
final class StrangersChild {
    private StrangersChild() {
    }

    public static void main(String[] args) throws IOException {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node a = Node.open(infos.first());
                Node b = Node.open(infos.first())) {
            fill(b);
            Peer toB = a.peer(b.address());
            Throwable why;
            if ("call".equals(args[0])) {
                try (Service _ = Service.open(b, 5, call -> call.answer(call.bytes()));
                        Caller caller = Caller.open(toB, 5)) {
                    why = caller.call(new byte[1], Duration.ofSeconds(1)).handle((answer, late) -> late).join();
                }
            } else {
                KeepAlive.open(b);
                why = KeepAlive.open(a, Duration.ofMillis(200), 4).watch(toB).handle((ended, dead) -> dead).join();
            }
            System.out.println("FAILED " + why);
        }
    }

    /** With names of files that begin as those of nodes do. */
    private static void fill(Node node) throws IOException {
        byte[] header = new byte[4096];
        try (InputStream file = Files.newInputStream(Path.of("/dev/shm",
                node.address().toText().replaceFirst(".*://", "")))) {
            file.readNBytes(header, 0, header.length);
        }
        List<Path> files = new ArrayList<>();
        try {
            while (files.size() < 1000) {
                Path file = Path.of("/dev/shm", "jfabric-strangers-" + ProcessHandle.current().pid() + "-"
                        + files.size());
                files.add(file);
                Files.write(file, header);
                node.peer(("fi_shm://" + file.getFileName() + "\0").getBytes());
            }
        } catch (FabricException full) {
            if (full.error() != FabricError.ENOMEM) {
                throw full;
            }
            System.out.println("FULL");
        } finally {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }
}
