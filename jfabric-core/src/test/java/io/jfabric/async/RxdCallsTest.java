// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of several threads that are longer than a packet. In a process of its own, which may hang in the provider. */
@Timeout(90)
class RxdCallsTest {
    private static final int THREADS = 16;
    private static final int LONGEST = 20_000;

    @Test
    void longCallsAtATime() {
        Providers.RXD.assumeOffered();
        ChildJvm.Result result = ChildJvm.of(Calls.class, "4").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("done");
    }

    static final class Calls {
        private Calls() {
        }

        private static Node open() {
            try (Hints hints = Hints.rdm().provider("udp;ofi_rxd")
                    .sourceAddress(Address.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))) {
                return Node.open(hints);
            }
        }

        /** For so many seconds. */
        public static void main(String[] args) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
            try (Node server = open(); Node client = open();
                 Service service = Service.open(server, 9, call -> call.answer(call.request()));
                 Caller caller = Caller.open(client.peer(server.address()), 9)) {
                List<CompletableFuture<Void>> threads = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    Random random = new Random(i);
                    threads.add(CompletableFuture.runAsync(() -> calls(caller, random, end),
                            Thread::startVirtualThread));
                }
                threads.forEach(CompletableFuture::join);
                System.out.println("done, " + service.invalid() + " damaged");
            }
        }

        private static void calls(Caller caller, Random random, long end) {
            while (System.nanoTime() - end < 0) {
                byte[] request = new byte[random.nextInt(random.nextBoolean() ? 1000 : LONGEST)];
                random.nextBytes(request);
                if (!Arrays.equals(caller.call(request).join(), request)) {
                    throw new IllegalStateException("the answer is another");
                }
            }
        }
    }
}
