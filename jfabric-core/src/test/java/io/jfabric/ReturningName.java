// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Two sides of {@link ReturningNameTest}: one that reads what comes, and one that writes to it, and closes. */
final class ReturningName {
    private static final int SIZE = 100_000;

    private ReturningName() {
    }

    /** Names of two endpoints; then what to send, and to whom, or how many messages to read, and who sends them. */
    public static void main(String[] args) throws Exception {
        int[] count = {0};
        try (Pair pair = Pair.open(Providers.SHM, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                endpoint -> endpoint.setAddress(Address.of("fi_ns://" + args[count[0]++])))) {
            Side side = pair.a;
            MemorySegment memory = Arena.ofAuto().allocate(SIZE, 8);
            if (args.length == 3) {
                read(pair, memory, Integer.parseInt(args[2]));
                return;
            }
            memory.setString(0, args[2], StandardCharsets.UTF_8);
            side.peer = side.addresses.insert(Address.of("fi_ns://" + args[3]));
            pair.post(() -> side.endpoint.messages().send(memory, side.peer, 1));
            pair.await(side, 1);
            pair.post(() -> side.endpoint.messages().receive(memory, Address.ANY, 2));
            pair.await(side, 2);
            System.out.println("answer " + memory.getString(0));
        }
    }

    private static void read(Pair pair, MemorySegment memory, int messages) throws Exception {
        Side side = pair.a;
        long from = -1;
        System.out.println("ready");
        for (int i = 0; i < messages; i++) {
            pair.post(() -> side.endpoint.messages().receive(memory, Address.ANY, 1));
            while (side.take(done -> done.context() == 1) == null) {
                side.poll();
                Thread.sleep(1);
            }
            String text = memory.getString(0, StandardCharsets.UTF_8);
            System.out.println("read " + text);
            memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 'A');
            long writer = from < 0 ? side.addresses.insert(Address.of("fi_ns://" + text.split(" ")[1])) : from;
            from = writer;
            pair.post(() -> side.endpoint.messages().send(memory, writer, 2));
            pair.await(side, 2);
        }
    }
}
