// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The other process of {@link Demo}: answers. It is told what to do on stdin, and says on stdout where it can be
 * reached, and what is wrong with the messages that are checked.
 */
public final class DemoPeer {
    static final String CHECK = "check";
    static final String LATENCY = "latency";
    static final String BANDWIDTH = "bandwidth";

    private DemoPeer() {
    }

    /**
     * Serves the process that started it, until that closes stdin or is gone.
     *
     * @param args the provider
     * @throws IOException if stdin fails
     */
    public static void main(String[] args) throws IOException {
        // a message that never comes would be waited for
        ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(1)));
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
             Channel channel = Channel.open(args[0])) {
            System.out.println(channel.address());
            channel.connect(in.readLine());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                int bytes = Integer.parseInt(words[1]);
                int count = Integer.parseInt(words[2]);
                switch (words[0]) {
                    case CHECK -> System.out.println(channel.answer(bytes));
                    case LATENCY -> channel.pong(bytes, count);
                    case BANDWIDTH -> channel.drain(count);
                    default -> throw new IOException("unknown command: " + line);
                }
            }
        }
    }
}
