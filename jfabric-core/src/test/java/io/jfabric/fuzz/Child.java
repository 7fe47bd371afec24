// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVM that may crash: makes the calls of one seed. Started by {@link Supervisor}. */
public final class Child {
    private Child() {
    }

    /** Arguments: directory, provider, type, seed, calls, threads, peers, milliseconds. */
    public static void main(String... args) throws Exception {
        Path directory = Path.of(args[0]);
        int threads = Integer.parseInt(args[5]);
        long calls = Long.parseLong(args[4]) / threads;
        Api api = Also.api();
        Ring ring = new Ring(directory.resolve("ring"), threads, api.targets.size());
        Oracle oracle = new Oracle(directory.resolve("findings"), ring);
        Memories memories = new Memories(directory, Known.longest(args[1]));
        Caller caller = new Caller(api, ring, memories, oracle, new Options.Choice(args[1], args[2]));
        long seed = Long.parseLong(args[3]);
        World world = new World(caller, ring, oracle, memories, args[1], args[2], seed, Integer.parseInt(args[6]));
        long end = System.nanoTime() + Long.parseLong(args[7]) * 1_000_000;
        ring.set(Ring.Number.STATE, Ring.RUNNING);
        List<Thread> others = new ArrayList<>();
        for (int i = threads - 1; i >= 0; i--) {
            int number = i;
            Runnable work = () -> run(number, caller, seed, calls, end, number == 0 ? world : null, others);
            if (i == 0) {
                work.run();
            } else {
                others.add(Thread.ofPlatform().name("fuzz-" + i).start(work));
            }
        }
        for (Thread other : others) {
            while (other.isAlive()) {
                Thread.interrupted();
                try {
                    other.join();
                } catch (InterruptedException again) {
                    Thread.onSpinWait();
                }
            }
        }
        world.end();
        ring.set(Ring.Number.STATE, Ring.DONE);
    }

    private static void run(int number, Caller caller, long seed, long calls, long end, World world,
            List<Thread> others) {
        Turn turn = new Turn(number);
        caller.attach(turn);
        try {
            for (long i = 0; turn.calls < calls && System.nanoTime() < end; i++) {
                turn.dice.reset(seed, number, i);
                if (world != null) {
                    world.tend(turn);
                    if (!others.isEmpty() && turn.dice.oneIn(3000)) {
                        turn.dice.of(others).interrupt();
                    }
                }
                List<Scene> scenes = caller.scenes;
                try {
                    turn.scene = turn.dice.of(scenes).id;
                } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException none) {
                    turn.scene = -1;
                }
                caller.call(turn);
                Thread.interrupted();
            }
        } catch (Throwable t) {
            t.printStackTrace();
            Runtime.getRuntime().halt(77);
        }
    }
}
