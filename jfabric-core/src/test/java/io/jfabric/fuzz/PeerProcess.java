// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A good endpoint: prints its address, receives what comes, sends to all addresses that it reads from stdin. */
public final class PeerProcess {
    static final int TRIES = 5;

    private PeerProcess() {
    }

    /** Arguments: provider, type, seed, and the first port of its own or 0. */
    public static void main(String... args) throws Exception {
        Dice dice = new Dice();
        dice.reset(Long.parseLong(args[2]), 99, 0);
        Scene scene = null;
        Scene.port = Integer.parseInt(args[3]);
        for (int i = 0; i < TRIES && (scene == null || scene.ownAddress == null); i++) {
            scene = Scene.open(i, args[0], args[1], dice, text -> { });
        }
        if (scene == null || scene.ownAddress == null) {
            return;
        }
        System.out.println("address " + HexFormat.of().formatHex(scene.ownAddress.bytes()));
        System.out.flush();
        Queue<byte[]> told = new ConcurrentLinkedQueue<>();
        Thread.ofPlatform().daemon().start(() -> listen(told));
        while (true) {
            for (byte[] address = told.poll(); address != null; address = told.poll()) {
                scene.greet(address);
            }
            scene.progress();
            Thread.sleep(1);
        }
    }

    private static void listen(Queue<byte[]> told) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                told.add(HexFormat.of().parseHex(line));
            }
        } catch (Exception gone) {
            // the parent is
        }
        Runtime.getRuntime().halt(0);
    }
}
