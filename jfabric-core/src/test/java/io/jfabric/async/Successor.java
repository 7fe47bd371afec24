// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.testing.ChildAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * A process of {@link SuccessorTest} with a node of shm: {@code NAME OTHER}. Says "address ..." and "got ..." of each
 * message; told "send ADDRESS TEXT", sends that to whoever has the address now. Ends when told "end" or "interrupted",
 * in the latter case in a thread that is, and says how many files of OTHER it has mapped still.
 */
final class Successor {
    private static final int TAG = 5;

    private Successor() {
    }

    public static void main(String[] args) throws IOException {
        try (Node node = KeepAliveChild.open("shm", args[0])) {
            ChildAddress.print(node.address().bytes());
            receive(node, node.allocate(64));
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
                if (line.equals("interrupted")) {
                    Thread.currentThread().interrupt();
                    break;
                }
                String[] words = line.split(" ");
                byte[] address = HexFormat.of().parseHex(words[1]);
                node.peer(address).close();
                MemorySegment text = node.memory().allocateFrom(words[2]);
                node.within(Duration.ofMinutes(1)).send(text, node.peer(address), TAG);
            }
        }
        try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
            System.out.println("keeps " + mapped.filter(line -> line.contains("/dev/shm/" + args[1])).count());
        }
    }

    private static void receive(Node node, MemorySegment into) {
        node.receive(into, TAG).thenRun(() -> {
            System.out.println("got " + into.getString(0));
            receive(node, into);
        });
    }
}
