// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.Resident;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Scenes come and go; from time to time everything is closed, and what is left behind is counted. */
final class World {
    private static final int SCENES = 2;
    private static final int ASK = 64;
    private static final int PART = 256;
    private static final long LIFE = 20_000;
    /** Calls of what has just come. */
    private static final int AT_ONCE = 4;
    /** Worlds after which the JVM itself no longer grows much. */
    private static final long WARM = 3;

    private final Caller caller;
    private final Ring ring;
    private final Oracle oracle;
    private final Memories memories;
    private final String provider;
    private final String type;
    private final Peers peers;
    private final Everyday everyday;
    private int nextScene;
    private long ends = LIFE;

    World(Caller caller, Ring ring, Oracle oracle, Memories memories, String provider, String type, long seed,
            int peers) {
        this.caller = caller;
        this.ring = ring;
        this.oracle = oracle;
        this.memories = memories;
        this.provider = provider;
        this.type = type;
        this.peers = new Peers(provider, type, seed, peers);
        everyday = new Everyday(provider, type);
    }

    /** Between two calls of the first thread. */
    void tend(Turn turn) {
        if (turn.calls >= ends) {
            tearDown(turn);
            measure();
            ends = turn.calls + LIFE;
        }
        if (turn.dice.oneIn(256) || caller.scenes.isEmpty()) {
            caller.scenes.removeIf(scene -> !scene.isAlive());
            if (!caller.scenes.isEmpty() && turn.dice.oneIn(10)) {
                Scene old = caller.scenes.removeFirst();
                forget(old.id, turn);
                quietly(turn, old::close);
            }
            while (caller.scenes.size() < SCENES && open(turn)) {
                memories.forgetReturned();
            }
        }
        if (turn.dice.oneIn(PART) && !caller.scenes.isEmpty()) {
            Scene scene = turn.dice.of(caller.scenes);
            scene.part();
            ring.end(turn.thread);
            scene.take().forEach(object -> caller.take(object, turn));
        }
        if (turn.dice.oneIn(ASK)) {
            List<Object> came = everyday.step(turn.dice, text -> ring.begin(turn.thread, -1, text));
            ring.end(turn.thread);
            for (Object object : came) {
                caller.take(object, turn);
                // it may not last: offers end when nobody takes them
                for (int i = 0; i < AT_ONCE; i++) {
                    caller.callOn(object, turn);
                }
            }
        }
        if (turn.dice.oneIn(20_000)) {
            ring.begin(turn.thread, -1, "kill a peer process");
            ring.set(Ring.Number.PEERS_KILLED, ring.get(Ring.Number.PEERS_KILLED) + peers.killOne(turn.dice));
            ring.end(turn.thread);
        }
    }

    private boolean open(Turn turn) {
        int id = nextScene++;
        int thread = turn.thread;
        Scene scene = Scene.open(id, provider, type, turn.dice, text -> ring.begin(thread, -1, text));
        ring.end(thread);
        if (scene == null) {
            ring.count(Ring.Number.SCENES_FAILED);
            return false;
        }
        if (scene.wrong) {
            oracle.broken(" the first message of a scene arrived with other bytes");
        }
        if (scene.lost) {
            oracle.broken(" the first message of a scene did not arrive");
        }
        if (scene.raw) {
            memories.demand();
        }
        scene.take().forEach(pillar -> caller.pool.add(pillar, id, true, turn.dice));
        if (scene.ownAddress != null) {
            caller.values.remember(scene.ownAddress.bytes(), turn.dice);
            for (byte[] address : peers.addresses()) {
                caller.values.remember(address, turn.dice);
                quietly(turn, () -> scene.peers.add(scene.insert(address)));
            }
            peers.tell(scene.ownAddress.bytes());
        }
        caller.scenes.add(scene);
        return true;
    }

    private void forget(int scene, Turn turn) {
        for (Entry entry : caller.pool.drop(scene)) {
            if (!entry.closed) {
                caller.close(entry, turn);
            }
        }
    }

    private void quietly(Turn turn, Runnable action) {
        ring.begin(turn.thread, -1, "scene: close or insert");
        try {
            action.run();
        } catch (RuntimeException refused) {
            ring.begin(turn.thread, -1, "refused: " + refused);
        } finally {
            ring.end(turn.thread);
        }
    }

    private void tearDown(Turn turn) {
        List<Scene> all = List.copyOf(caller.scenes);
        caller.scenes.clear();
        forget(-1, turn);
        all.forEach(scene -> quietly(turn, scene::close));
        quietly(turn, everyday::close);
        memories.forgetReturned();
        memories.demandNothing();
        String broken = memories.check();
        if (!broken.isEmpty()) {
            oracle.broken(broken);
        }
    }

    void end() {
        Turn turn = new Turn(0);
        caller.attach(turn);
        tearDown(turn);
        peers.close();
        measure();
    }

    private void measure() {
        ring.count(Ring.Number.WORLDS);
        System.gc();
        try {
            Trim.all();
            // all of the heap is resident from the start: what of it is free is nobody's, and compiled code grows on
            // not that of files, of which one is memory that the fuzzer gives to calls
            long rss = Resident.bytes("RssAnon") + Resident.bytes("RssShmem") - Runtime.getRuntime().freeMemory()
                    - ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getCommitted();
            long fds = entries("/proc/self/fd");
            long shm = entries("/dev/shm") - (provider.equals("shm") ? ofOthers() : 0);
            if (ring.get(Ring.Number.WORLDS) <= WARM) {
                ring.set(Ring.Number.RSS_BASE, rss);
                ring.set(Ring.Number.FDS_BASE, fds);
                ring.set(Ring.Number.SHM_BASE, shm);
            }
            ring.set(Ring.Number.RSS_NOW, rss);
            ring.set(Ring.Number.FDS_NOW, fds);
            ring.set(Ring.Number.SHM_NOW, shm);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The names of endpoints of other processes: those that were killed left theirs. */
    private static long ofOthers() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            return files.filter(World::isOfOther).count();
        }
    }

    private static boolean isOfOther(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            // a pipe would be waited for
            return false;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
            return channel.read(head) == 8 && head.getInt(4) != ProcessHandle.current().pid();
        } catch (IOException gone) {
            return true;
        }
    }

    static long entries(String directory) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.count();
        }
    }
}
