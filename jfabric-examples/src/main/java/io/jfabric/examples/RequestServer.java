// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Call;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.info.Hints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * A server answers the calls of thousands of virtual threads in other processes. Look at {@link #answer}: each call has
 * a virtual thread of its own there too, and may block. And look at {@link #ask}: threads wait for their turn to call,
 * since a caller refuses calls when too many wait in it. A deadline, which runs from the call on, ends it for its
 * caller, however slow the server is; all other answers are compared.
 *
 * <p>Usage: RequestServer [PROVIDER [CLIENTS [CALLS]]], such as shm (the default) or tcp
 */
public final class RequestServer {
    private static final int SERVICE = 7;
    private static final Duration PATIENCE = Duration.ofSeconds(25);
    private static final Duration HURRY = Duration.ofMillis(200);
    /** Of so many calls one is slow. */
    private static final int SLOW = 100;
    private static final int HEADER = 4;
    /** Calls of a client that are under way at once; it may make any number. */
    private static final int AT_ONCE = 1000;

    private RequestServer() {
    }

    /** Takes the name of a provider, the number of clients and how many calls each of them makes. */
    public static void main(String[] args) throws Exception {
        int clients = Arguments.number(args, 1, 1);
        int calls = Arguments.number(args, 2, 3000);
        Ranks.run(RequestServer.class, 1 + clients, ranks -> {
            try (Hints hints = Hints.rdm().provider(args.length > 0 ? args[0] : "shm");
                    Node node = Node.open(hints)) {
                byte[] server = ranks.exchange(node.address().bytes()).getFirst();
                if (ranks.rank == 0) {
                    serve(ranks, node);
                } else {
                    ask(ranks, node, server, calls);
                }
            }
        }, args);
    }

    private static void serve(Ranks ranks, Node node) throws IOException {
        try (Service service = Service.open(node, SERVICE, RequestServer::answer)) {
            ranks.barrier();
            // the clients call
            ranks.barrier();
            System.out.printf("server: %d calls answered, %d came late%n", service.answered(), service.late());
        }
    }

    /** The answer is the request backwards. */
    private static void answer(Call call) throws InterruptedException {
        byte[] request = call.bytes();
        if (ByteBuffer.wrap(request).getInt() % SLOW == 0) {
            // something slow, such as a database: the caller gives up before, and this answer goes nowhere
            Thread.sleep(call.timeLeft().plusMillis(500));
        }
        byte[] answer = new byte[request.length];
        for (int i = 0; i < answer.length; i++) {
            answer[i] = request[request.length - 1 - i];
        }
        call.answer(answer);
    }

    private static void ask(Ranks ranks, Node node, byte[] server, int calls) throws Exception {
        ranks.barrier();
        long start = System.nanoTime();
        int late = 0;
        try (Caller caller = Caller.open(node.peer(server), SERVICE);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Semaphore turns = new Semaphore(AT_ONCE);
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    turns.acquire();
                    try {
                        return call(caller, number);
                    } finally {
                        turns.release();
                    }
                }));
            }
            for (Future<Boolean> each : all) {
                late += result(each) ? 0 : 1;
            }
        }
        int slow = (calls + SLOW - 1) / SLOW;
        if (late != slow) {
            throw new IllegalStateException(late + " calls ended at their deadline, not " + slow);
        }
        System.out.printf("client %d: ok, %d answers compared, %d calls ended at their deadline, in %d ms%n",
                ranks.rank, calls - late, late, (System.nanoTime() - start) / 1_000_000);
        ranks.barrier();
    }

    private static boolean result(Future<Boolean> call) throws Exception {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call has failed", e.getCause());
        }
    }

    /** One call, in a thread of its own; false if it ended at its deadline. */
    private static boolean call(Caller caller, int number) {
        // some are longer than a message of the service's
        byte[] request = new byte[HEADER + number % 97 * 60];
        new Random(number).nextBytes(request);
        ByteBuffer.wrap(request).putInt(number);
        byte[] answer;
        try {
            answer = caller.call(request, number % SLOW == 0 ? HURRY : PATIENCE).join();
        } catch (CompletionException e) {
            if (number % SLOW == 0 && e.getCause() instanceof FabricException f
                    && f.error() == FabricError.ETIMEDOUT) {
                return false;
            }
            throw e;
        }
        if (answer.length != request.length) {
            throw new IllegalStateException("call " + number + ": " + answer.length + " bytes came, not "
                    + request.length);
        }
        for (int i = 0; i < answer.length; i++) {
            if (answer[i] != request[request.length - 1 - i]) {
                throw new IllegalStateException("call " + number + ": byte " + i + " of the answer is wrong");
            }
        }
        return true;
    }
}
