// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.MemoryAccess.REMOTE_READ;

import io.jfabric.RemoteRegion;
import io.jfabric.async.BufferPool;
import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.examples.Slot.Entry;
import io.jfabric.info.Hints;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/**
 * A key-value store whose clients read the server's hash table by RMA and write by calls. No code of the server's runs
 * for a read. Look at {@link #get}: a read that met a write is seen by the slot's checksum and repeated.
 * All values are compared: those of keys that the client writes itself with the last, others with what belongs to
 * their key and round, which never goes back.
 *
 * <p>Usage: KeyValueStore [PROVIDER [CLIENTS [ROUNDS]]], such as shm (the default) or tcp
 */
public final class KeyValueStore {
    private static final int SERVICE = 9;
    private static final int SLOTS = 256;
    /** Each in a virtual thread. */
    private static final int KEYS_OF_CLIENT = 32;
    private static final int BUFFERS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private final Node node;
    private final Peer server;
    private final RemoteRegion table;
    private final Caller caller;
    private final BufferPool buffers;
    private final LongAdder compared = new LongAdder();
    private final LongAdder torn = new LongAdder();

    private KeyValueStore(Node node, Peer server, RemoteRegion table, Caller caller, BufferPool buffers) {
        this.node = node;
        this.server = server;
        this.table = table;
        this.caller = caller;
        this.buffers = buffers;
    }

    /** Takes the name of a provider, the number of clients and how often each key is written. */
    public static void main(String[] args) throws Exception {
        int clients = Arguments.number(args, 1, 2);
        int rounds = Arguments.number(args, 2, 50);
        if (clients > SLOTS / KEYS_OF_CLIENT) {
            throw new IllegalArgumentException("CLIENTS: " + clients + " are more than "
                    + SLOTS / KEYS_OF_CLIENT + ", whose keys fill the table");
        }
        Ranks.run(KeyValueStore.class, 1 + clients, ranks -> {
            try (Hints hints = Hints.rdm().provider(args.length > 0 ? args[0] : "shm");
                    Node node = Node.open(hints)) {
                if (ranks.rank == 0) {
                    serve(ranks, node);
                } else {
                    use(ranks, node, rounds);
                }
            }
        }, args);
    }

    private static void serve(Ranks ranks, Node node) throws IOException {
        MemorySegment table = node.allocate(SLOTS * Slot.SIZE);
        try (Service service = Service.open(node, SERVICE, CallHandler.of(put -> put(table, put)))) {
            ranks.exchange(node.address().bytes());
            ranks.exchange(node.register(table, REMOTE_READ).remote().toBytes());
            // the clients write and read
            ranks.barrier();
            System.out.printf("server: %d values stored%n", service.answered());
        }
    }

    /** Writes have their turn one after another. */
    private static byte[] put(MemorySegment table, byte[] put) {
        long key = ByteBuffer.wrap(put).getLong();
        synchronized (table) {
            for (int probe = 0; probe < SLOTS; probe++) {
                MemorySegment slot = table.asSlice(slot(key, probe) * Slot.SIZE, Slot.SIZE);
                Entry old = Slot.read(slot);
                if (old.isEmpty() || old.key() == key) {
                    Slot.write(slot, key, Arrays.copyOfRange(put, Long.BYTES, put.length));
                    return new byte[0];
                }
            }
        }
        throw new IllegalStateException("the table is full: " + SLOTS + " slots");
    }

    private static int slot(long key, int probe) {
        return (int) Math.floorMod((key * 0x9E3779B97F4A7C15L >>> 32) + probe, (long) SLOTS);
    }

    private static void use(Ranks ranks, Node node, int rounds) throws Exception {
        Peer server = node.peer(ranks.exchange(node.address().bytes()).getFirst());
        RemoteRegion table = RemoteRegion.of(ranks.exchange(new byte[0]).getFirst());
        try (Caller caller = Caller.open(server, SERVICE);
                BufferPool buffers = BufferPool.open(node.domain(), Slot.SIZE, BUFFERS)) {
            KeyValueStore store = new KeyValueStore(node, server, table, caller, buffers);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < KEYS_OF_CLIENT; i++) {
                    long mine = (ranks.rank - 1) * KEYS_OF_CLIENT + i;
                    long others = (mine + KEYS_OF_CLIENT) % ((ranks.size - 1) * KEYS_OF_CLIENT);
                    all.add(threads.submit(() -> store.run(mine, others, rounds)));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            }
            System.out.printf("client %d: ok, %d values compared, %d reads met a write and were repeated%n",
                    ranks.rank, store.compared.sum(), store.torn.sum());
        }
        ranks.barrier();
    }

    private void run(long mine, long others, int rounds) {
        check(mine, get(mine), -1, -1);
        int seen = -1;
        for (int round = 0; round < rounds; round++) {
            byte[] value = value(mine, round);
            byte[] put = ByteBuffer.allocate(Long.BYTES + value.length).putLong(mine).put(value).array();
            caller.call(put, PATIENCE).join();
            check(mine, get(mine), round, round);
            seen = others == mine ? round : check(others, get(others), seen, rounds - 1);
        }
    }

    /** Reads slots of the server's until one has the key, or is empty: null then. */
    private byte[] get(long key) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int probe = 0; probe < SLOTS;) {
            long offset = slot(key, probe) * Slot.SIZE;
            Entry entry = buffers.use(buffer -> node.read(buffer, server, table, offset),
                    (buffer, done) -> Slot.read(buffer)).join();
            if (entry == null) {
                torn.increment();
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("key " + key + ": no read without a write for " + PATIENCE);
                }
            } else if (entry.isEmpty()) {
                return null;
            } else if (entry.key() == key) {
                return entry.value();
            } else {
                probe++;
            }
        }
        return null;
    }

    /** Begins with the round; what follows, and how long it is, comes from key and round. */
    private static byte[] value(long key, int round) {
        Random random = new Random(key << 32 | round);
        byte[] value = new byte[random.nextInt(Integer.BYTES, Slot.LONGEST + 1)];
        random.nextBytes(value);
        return ByteBuffer.wrap(value).putInt(round).array();
    }

    /** The round of the value, which must be one of some; -1 if there is no value yet. */
    private int check(long key, byte[] value, int least, int most) {
        int round = value == null ? -1 : ByteBuffer.wrap(value).getInt();
        if (round < least || round > most || value != null && !Arrays.equals(value, value(key, round))) {
            throw new IllegalStateException("key " + key + " has " + Arrays.toString(value) + " of round " + round
                    + "; expected is a round of " + least + " to " + most);
        }
        compared.increment();
        return round;
    }
}
