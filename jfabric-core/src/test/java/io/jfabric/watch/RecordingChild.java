// SPDX-License-Identifier: Apache-2.0
package io.jfabric.watch;

import io.jfabric.FabricArena;
import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Received;
import io.jfabric.async.Service;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Does one of each thing that is recorded, and prints what was. */
final class RecordingChild {
    /** A domain that is open for so long is counted. */
    private static final long PERIOD_MILLIS = 2000;

    private RecordingChild() {
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path file = Files.createTempFile("jfabric", ".jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            Work.run(PERIOD_MILLIS);
            slowSend();
            callAndClose();
            recording.stop();
            recording.dump(file);
        }
        Map<String, Long> counts = new TreeMap<>(RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("jfabric."))
                .peek(RecordingChild::check)
                .collect(Collectors.groupingBy(event -> event.getEventType().getName(), Collectors.counting())));
        counts.forEach((name, count) -> System.out.println(name + " " + count));
        Files.delete(file);
    }

    /** To a peer that is late. */
    private static void slowSend() throws InterruptedException {
        NodeOptions late = NodeOptions.DEFAULT.withCallerProgress();
        try (Node sender = Node.open(Hints.rdm().provider("tcp").capabilities(Capability.TAGGED));
                Node receiver = Node.open(Hints.rdm().provider("tcp").capabilities(Capability.TAGGED), late)) {
            CompletableFuture<Received> got = receiver.receive(receiver.allocate(8), 1);
            CompletableFuture<?> sent = sender.send(sender.allocate(8), sender.peer(receiver.address()), 1);
            Thread.sleep(100);
            while (!got.isDone() || !sent.isDone()) {
                receiver.progress();
            }
        }
    }

    /** What the nodes' own messages are received with is cancelled then: that is no error. */
    private static void callAndClose() {
        try (Hints hints = Hints.rdm().provider("shm").capabilities(Capability.TAGGED);
                Node server = Node.open(hints); Node client = Node.open(hints);
                Service _ = Service.open(server, 7, CallHandler.of(request -> request));
                Caller caller = Caller.open(client.peer(server.address()), 7)) {
            caller.call(new byte[1]).join();
        }
    }

    private static void check(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jfabric.Error" -> System.out.println("error: " + event.getInt("errno") + " on "
                    + event.getString("endpoint"));
            case "jfabric.Registration" -> System.out.println("registered " + event.getLong("bytes"));
            case "jfabric.SlowOperation" -> System.out.println("slow " + event.getString("operation"));
            case "jfabric.Counts" -> System.out.println("counts of " + event.getString("domain"));
            default -> { }
        }
    }

    /** The same without the recorder, in a class that knows nothing of it. */
    static final class Work {
        private Work() {
        }

        public static void main(String[] args) throws InterruptedException {
            run(0);
            System.out.println("done with" + (ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? "" : "out")
                    + " jdk.jfr");
        }

        static void run(long openForMillis) throws InterruptedException {
            try (Pair pair = Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.RMA, Capability.MSG))
                    .connect(); FabricArena arena = pair.domain.openArena()) {
                MemorySegment memory = arena.allocate(4096);
                pair.domain.register(memory, MemoryAccess.REMOTE_WRITE).close();
                pair.post(() -> pair.b.endpoint.messages().receive(memory.asSlice(0, 8), Address.ANY, 1));
                pair.post(() -> pair.a.endpoint.messages().send(memory.asSlice(64, 64), pair.a.peer, 2));
                pair.awaitError(pair.b, 1);
                for (int i = 0; i < 5000; i++) {
                    pair.a.endpoint.messages().send(memory.asSlice(64, 64), pair.a.peer, 3);
                }
                Thread.sleep(openForMillis);
                pair.a.endpoint.close();
                pair.b.endpoint.close();
            }
        }
    }
}
