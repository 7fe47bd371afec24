// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Hints;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Every process sends a file to every other, all at once. Look at the chunks: each is a message whose tag says where it
 * belongs, received straight into the mapped file, and all are handed to the node, which sees to it that not too many
 * are under way. In the end each process compares what arrived with what was sent, byte by byte.
 *
 * <p>Usage: AllToAllFiles [PROVIDER [PROCESSES]], such as shm (the default) or tcp
 */
public final class AllToAllFiles {
    private static final long CHUNK = 256 << 10;
    /** Files of many sizes, from one byte to many chunks, the last of which is never full. */
    private static final long BYTES = 400_003;

    private final Ranks ranks;
    private final Node node;
    private final Path directory;
    private final List<CompletableFuture<?>> chunks = new ArrayList<>();

    private AllToAllFiles(Ranks ranks, Node node, Path directory) {
        this.ranks = ranks;
        this.node = node;
        this.directory = directory;
    }

    /** Takes the name of a provider and the number of processes. */
    public static void main(String[] args) throws Exception {
        int processes = Arguments.number(args, 1, 3);
        Ranks.run(AllToAllFiles.class, processes, ranks -> exchange(args.length > 0 ? args[0] : "shm", ranks), args);
    }

    private static void exchange(String provider, Ranks ranks) throws IOException {
        Path directory = Temporary.directory("jfabric-all-to-all");
        // the arena unmaps the files when the node, which uses them, is closed
        try (Arena files = Arena.ofShared(); Hints hints = Hints.rdm().provider(provider);
                Node node = Node.open(hints)) {
            new AllToAllFiles(ranks, node, directory).run(files);
        }
    }

    private void run(Arena arena) throws IOException {
        List<byte[]> addresses = ranks.exchange(node.address().bytes());
        List<byte[]> directories = ranks.exchange(directory.toString().getBytes());
        List<MemorySegment> out = new ArrayList<>();
        for (int to = 0; to < ranks.size; to++) {
            Files.write(outgoing(directory, to), content(ranks.rank, to));
            out.add(map(outgoing(directory, to), size(ranks.rank, to), arena));
        }
        ranks.barrier();
        for (int from = 0; from < ranks.size; from++) {
            // a real program would send the size first
            receive(map(incoming(from), size(from, ranks.rank), arena), from);
        }
        for (int to = 0; to < ranks.size; to++) {
            send(out.get(to), node.peer(addresses.get(to)));
        }
        chunks.forEach(CompletableFuture::join);

        long bytes = 0;
        for (int from = 0; from < ranks.size; from++) {
            Path sent = outgoing(Path.of(new String(directories.get(from))), ranks.rank);
            if (Files.mismatch(sent, incoming(from)) >= 0) {
                throw new IllegalStateException(sent + " has arrived with other bytes");
            }
            bytes += Files.size(sent);
        }
        System.out.printf("process %d: ok, %d files with %d bytes in %d messages%n", ranks.rank, ranks.size, bytes,
                chunks.size());
        ranks.barrier();
    }

    private void receive(MemorySegment file, int from) {
        for (long at = 0; at < file.byteSize(); at += CHUNK) {
            long length = Math.min(CHUNK, file.byteSize() - at);
            chunks.add(node.receive(file, at, length, tag(from, at))
                    .thenAccept(received -> whole(received, length)));
        }
    }

    private void send(MemorySegment file, Peer peer) {
        for (long at = 0; at < file.byteSize(); at += CHUNK) {
            chunks.add(node.send(file, at, Math.min(CHUNK, file.byteSize() - at), peer, tag(ranks.rank, at)));
        }
    }

    private static void whole(Received chunk, long length) {
        if (chunk.length() != length) {
            throw new IllegalStateException(chunk + " should have " + length + " bytes");
        }
    }

    /** Who has sent it, and where it belongs in the file. */
    private static long tag(int from, long at) {
        return (long) from << 40 | at / CHUNK;
    }

    private static long size(int from, int to) {
        return BYTES * (from + 2 * to) + 1;
    }

    private static byte[] content(int from, int to) {
        byte[] bytes = new byte[(int) size(from, to)];
        new Random(31L * from + to).nextBytes(bytes);
        return bytes;
    }

    private static Path outgoing(Path directory, int to) {
        return directory.resolve("to-" + to);
    }

    private Path incoming(int from) {
        return directory.resolve("from-" + from);
    }

    /** Mapping more than there is makes the file longer. */
    private static MemorySegment map(Path file, long size, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE)) {
            return channel.map(MapMode.READ_WRITE, 0, size, arena);
        }
    }
}
