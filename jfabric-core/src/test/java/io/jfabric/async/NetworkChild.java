// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches peers: INTERVAL-MILLIS HOST. Lines of its stdin: "watch NAME ADDRESS" watches and calls a peer all the time
 * until it ends, "slowest NAME LABEL" says what the slowest call took since that was asked last.
 */
final class NetworkChild {
    private static final Map<String, AtomicLong> SLOWEST = new ConcurrentHashMap<>();

    private NetworkChild() {
    }

    public static void main(String[] args) throws Exception {
        try (Node node = KeepAliveChild.open("tcp", null, args[1]);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(Long.parseLong(args[0])), 4)) {
            System.out.println("open");
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("watch")) {
                    Peer peer = node.peer(HexFormat.of().parseHex(words[2]));
                    Thread.ofPlatform().daemon().start(() -> watch(alive, words[1], peer));
                } else {
                    System.out.println("slowest " + words[2] + " " + SLOWEST.get(words[1]).getAndSet(0) / 1_000_000);
                }
            }
        }
    }

    /** A call every few milliseconds; says when call and keep-alive were answered, what failed, how the peer ended. */
    private static void watch(KeepAlive alive, String name, Peer peer) {
        AtomicInteger failed = new AtomicInteger();
        AtomicLong slowest = SLOWEST.computeIfAbsent(name, key -> new AtomicLong());
        CompletableFuture<Void> ended = alive.watch(peer);
        ended.whenComplete((done, why) -> System.out.println("ended " + name + " " + text(why)));
        boolean answered = false;
        try (Caller caller = Caller.open(peer, 1)) {
            while (!ended.isDone()) {
                long start = System.nanoTime();
                try {
                    caller.call(new byte[8]).join();
                } catch (CompletionException e) {
                    failed.incrementAndGet();
                    break;
                }
                slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                if (!answered && alive.sinceLastAnswer(peer).isPresent()) {
                    System.out.println("answered " + name);
                    answered = true;
                }
                Thread.sleep(5);
            }
        } catch (InterruptedException over) {
            return;
        }
        System.out.println("failed " + name + " " + failed);
    }

    private static String text(Throwable why) {
        return why instanceof FabricException failure ? failure.error() + ": " + failure.getMessage() : "" + why;
    }
}
