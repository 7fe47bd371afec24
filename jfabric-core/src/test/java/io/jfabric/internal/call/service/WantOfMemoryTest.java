// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.OverloadException;
import io.jfabric.async.Peer;
import io.jfabric.async.PooledBuffer;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Hub;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers and services whose nodes have no buffer left, nor memory for more of them. */
@Timeout(90)
@Tag("long")
class WantOfMemoryTest {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    /** More than a node has receives for them. */
    private static final int GREETINGS = 600;
    private static final int LONGER = 10_000;
    /** Too large to follow a request before it is asked for. */
    private static final int LARGE = 5 << 20;
    /** Follows its call at once on shm, and needs memory of its own. */
    private static final int MEDIUM = 1 << 20;
    /** So short that the C library makes no mapping of its own for it. */
    private static final int PIECE = 64 << 10;
    private static final int PIECES = 400;
    /** Less than what buffers are cut from. */
    private static final int SLACK = 900 << 10;
    private static final MethodHandle SETRLIMIT = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("setrlimit"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** In a process of its own, which is allowed no more memory than it has. */
    @ParameterizedTest
    @MethodSource("providers")
    void theyDoWithout(Providers.Choice choice) {
        assumeFalse(System.getenv().containsKey("LD_PRELOAD"), "another allocator has ways of its own");
        // neither compilers, more threads, nor more heaps of the C library are to take memory meanwhile
        ChildJvm.Result result = ChildJvm.of(WantOfMemoryTest.class, choice.provider())
                .flags("-Xint", "-XX:+UseSerialGC", "-Xms256m", "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1")
                .environment("MALLOC_ARENA_MAX", "1").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("enough: [1, 10000, 5242880]", "none: [1, 10000, busy"
                + (choice.provider().equals(Providers.SHM.provider()) ? ", busy]" : "]"),
                "again: [1, 10000, 5242880]");
    }

    public static void main(String[] args) throws Throwable {
        Providers.Choice choice = providers().filter(one -> one.provider().equals(args[0])).findFirst().orElseThrow();
        // the JDK's timer of virtual threads begins with the first that sleeps: without memory it never does
        Thread.startVirtualThread(() -> LockSupport.parkNanos(1_000_000)).join();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            // the classes are loaded, and the threads there
            System.out.println("enough: " + callAndClose(a, b, false));
            System.out.println("none: " + callAndClose(a, b, true));
            System.out.println("again: " + callAndClose(a, b, false));
        }
    }

    /** What came of three calls. */
    private static List<String> callAndClose(Node a, Node b, boolean scarce) throws Throwable {
        Peer peer = a.peer(b.address());
        Service service = Service.open(b, 5, call -> call.answer(call.request()));
        Caller caller = Caller.open(peer, 5);
        // they keep the hubs, too
        CallerByHand greeter = new CallerByHand(a, peer, 5);
        CallerByHand neighbour = new CallerByHand(b, b.peer(b.address()), 5);
        MemorySegment medium = a.allocate(MEDIUM);
        List<String> answers = answers(caller, 1, LONGER, LARGE);
        answer(caller.call(medium.asSlice(0, 1), medium, DEADLINE));
        List<PooledBuffer> taken = new ArrayList<>();
        if (scarce) {
            long[] pieces = LongStream.generate(() -> LibC.calloc(PIECE)).limit(PIECES).toArray();
            // for the JVM and the provider, which need some: nothing that buffers are cut from fits in there
            for (int i = 0; i < PIECES; i += 2) {
                LibC.free(pieces[i]);
            }
            limit(size());
            takeAll(greeter.hub, taken);
            takeAll(neighbour.hub, taken);
            limit(size() + SLACK);
            for (int i = 0; i < GREETINGS; i++) {
                greeter.greets();
            }
            answers = answers(caller, 1, LONGER);
            takeAll(greeter.hub, taken);
            takeAll(neighbour.hub, taken);
            answers.addAll(answers(caller, LARGE));
            if (a.info().provider().equals(Providers.SHM.provider())) {
                answers.add(answer(caller.call(medium, medium, DEADLINE)));
            }
        }
        caller.close();
        service.close();
        limit(-1);
        taken.forEach(PooledBuffer::close);
        greeter.close();
        neighbour.close();
        return answers;
    }

    private static List<String> answers(Caller caller, int... sizes) throws Exception {
        List<String> answers = new ArrayList<>();
        for (int size : sizes) {
            answers.add(answer(caller.call(new byte[size], DEADLINE)));
        }
        return answers;
    }

    private static String answer(CompletableFuture<?> call) throws Exception {
        try {
            Object answer = call.get(20, TimeUnit.SECONDS);
            return answer instanceof byte[] bytes ? String.valueOf(bytes.length) : "long";
        } catch (ExecutionException e) {
            return e.getCause() instanceof OverloadException ? "busy" : e.getCause().toString();
        }
    }

    /** Also those that are still to come back. */
    private static void takeAll(Hub hub, List<PooledBuffer> taken) throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            for (PooledBuffer next = hub.take(); next != null; next = hub.take()) {
                taken.add(next);
            }
            Thread.sleep(10);
        }
    }

    /** Of the address space, in bytes. */
    private static long size() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmSize:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10).findFirst().orElseThrow();
        }
    }

    /** RLIMIT_AS; what may be asked for stays without limit. */
    private static void limit(long bytes) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            assertThat((int) SETRLIMIT.invokeExact(9, arena.allocateFrom(ValueLayout.JAVA_LONG, bytes, -1))).isZero();
        }
    }
}
