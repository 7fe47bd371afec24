// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Endpoints in processes of their own, which can be killed. They end with this process: their stdin does. */
final class Peers {
    /** Below those that systems choose. */
    private static final int FIRST_PORT = 10_000;

    private final String provider;
    private final String type;
    private final long seed;
    private final List<Peer> peers = new ArrayList<>();
    private final int wanted;
    private int started;

    /** Its address is there once it has started. */
    private static final class Peer {
        private final Process process;
        private volatile byte[] address;

        private Peer(Process process) {
            this.process = process;
            Thread.ofPlatform().daemon().start(this::read);
        }

        private void read() {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.startsWith("address ")) {
                        address = HexFormat.of().parseHex(line.substring(8));
                    }
                }
            } catch (IOException killed) {
                // as it should be
            }
        }
    }

    Peers(String provider, String type, long seed, int wanted) {
        this.provider = provider;
        this.type = type;
        this.seed = seed;
        this.wanted = type.equals("MSG") ? 0 : wanted;
    }

    /** Where the peers are; starts those that are missing. */
    List<byte[]> addresses() {
        while (peers.size() < wanted) {
            peers.add(start());
        }
        return peers.stream().map(p -> p.address).filter(a -> a != null).toList();
    }

    private Peer start() {
        try {
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin",
                    "java").toString(), "--enable-native-access=ALL-UNNAMED", "-Xmx64m", "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
            String library = System.getProperty("jfabric.library");
            if (library != null) {
                command.add("-Djfabric.library=" + library);
            }
            command.addAll(List.of("-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null", "-cp",
                    System.getProperty("java.class.path"), PeerProcess.class.getName(), provider, type,
                    Long.toString(seed), Integer.toString(Known.keepsPorts(provider) ? nextPort() : 0)));
            return new Peer(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For two endpoints, however often they are tried: no other process ever gets the ports of one that was killed. */
    private int nextPort() {
        return FIRST_PORT + 2 * PeerProcess.TRIES * started++;
    }

    /** Gives an address to all, to which they may send. */
    void tell(byte[] address) {
        for (Peer peer : peers) {
            try {
                peer.process.outputWriter().write(HexFormat.of().formatHex(address) + '\n');
                peer.process.outputWriter().flush();
            } catch (IOException dead) {
                peer.process.destroyForcibly();
            }
        }
    }

    /** Kills one, in the middle of whatever it does; the next scene gets another. Gives how many that were. */
    int killOne(Dice dice) {
        if (peers.isEmpty()) {
            return 0;
        }
        peers.remove(dice.below(peers.size())).process.destroyForcibly();
        return 1;
    }

    void close() {
        peers.forEach(p -> p.process.destroyForcibly());
        peers.clear();
    }
}
