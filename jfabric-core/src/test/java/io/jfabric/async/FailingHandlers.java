// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Calls services whose handlers fail in one way each: see {@link FailingHandlersTest}. */
final class FailingHandlers {
    private FailingHandlers() {
    }

    private static byte[] thrown(byte[] request) {
        throw new IllegalArgumentException("request " + request[0]);
    }

    public static void main(String[] args) {
        try (Nodes nodes = Nodes.open(Providers.RXM);
                Service throwing = Service.open(nodes.b, 1, CallHandler.of(FailingHandlers::thrown));
                Service later = Service.open(nodes.b, 2, CallHandler.later(
                        request -> CompletableFuture.supplyAsync(() -> thrown(request))));
                Service telling = Service.open(nodes.b, 3, call -> call.fail(new IllegalStateException("regular")))) {
            for (int number = 1; number <= 3; number++) {
                try (Caller caller = Caller.open(nodes.toB, number)) {
                    for (byte i = 1; i <= 3; i++) {
                        try {
                            caller.call(new byte[] {i}).join();
                        } catch (CompletionException e) {
                            System.out.println(number + ": " + e.getCause().getMessage());
                        }
                    }
                }
            }
            System.out.println("END " + throwing + later + telling);
        }
    }
}
