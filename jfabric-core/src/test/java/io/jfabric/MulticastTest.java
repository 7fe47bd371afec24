// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Multicast, on udp: in a network namespace, where the loopback device may carry it. */
class MulticastTest {
    private static void hints(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.MULTICAST);
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    /** The provider knows the flag for single operations only. */
    @Test
    void anInfoThatAsksForWhatIsNotThereIsRefusedWithARemedy() {
        try (FabricInfoList infos = Providers.UDP.find(MulticastTest::hints); FabricInfo info = infos.first();
             Fabric fabric = Fabric.open(info); Domain domain = fabric.openDomain(info)) {
            info.tx().operationFlags(OperationFlag.MULTICAST);
            for (ThrowingCallable open : List.<ThrowingCallable>of(() -> domain.openEndpoint(info),
                    () -> fabric.openDomain(info))) {
                assertThatThrownBy(open).isInstanceOf(FabricException.class).hasMessageContaining("FI_ENODATA")
                        .hasMessageContaining("since getInfo gave it").hasMessageContaining("into the hints");
            }
        }
    }

    @Test
    void aDatagramReachesTheGroup() throws Exception {
        assertThat(runInNamespace(Member.class)).contains("received to the group", "left");
    }

    @Test
    void oneThreadGetsTheGroupAndEverythingCloses() throws Exception {
        assertThat(runInNamespace(Rivals.class)).contains("closed");
    }

    @Test
    void theEventOfAJoinNamesItsGroup() throws Exception {
        assertThat(runInNamespace(Reader.class)).contains("all were named");
    }

    private static String runInNamespace(Class<?> main) throws IOException, InterruptedException {
        Providers.UDP.assumeOffered();
        assumeTrue(System.getProperty("user.name").equals("root"), "network namespaces need root");
        assumeTrue(Files.isExecutable(Path.of("/sbin/ip")) || Files.isExecutable(Path.of("/usr/sbin/ip")),
                "the ip command (iproute2) is not installed");
        String name = "jfabric-" + ProcessHandle.current().pid();
        assumeTrue(run("ip", "netns", "add", name), "network namespaces are not allowed here");
        try {
            assertThat(run("ip", "-n", name, "link", "set", "lo", "up", "multicast", "on")).isTrue();
            assertThat(run("ip", "-n", name, "route", "add", "224.0.0.0/4", "dev", "lo")).isTrue();
            ChildJvm.Result result = ChildJvm.of(main).prefix("ip", "netns", "exec", name).run();
            assertThat(result.exitCode()).as(result.output()).isZero();
            return result.output();
        } finally {
            run("ip", "netns", "del", name);
        }
    }

    @Test
    void whatCannotBeJoinedIsRefusedAndEverythingCloses() {
        try (FabricInfoList infos = Providers.UDP.find(MulticastTest::hints);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             EventQueue events = fabric.openEventQueue(); AddressVector addresses = domain.openAddressVector();
             CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG)) {
            Endpoint endpoint = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(addresses).bind(events).enable();
            Address noGroup = Address.of(new InetSocketAddress("127.0.0.1", 4567));
            assertThatThrownBy(() -> endpoint.join(noGroup, 1)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("EINVAL").hasMessageContaining("not a multicast address");
            endpoint.close();
            assertThat(events.poll()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void othersSayNo(Providers.Choice choice) {
        boolean offered = choice.isOffered(MulticastTest::hints);
        assertThat(offered).isEqualTo(choice.provider().equals("udp"));
    }

    static final class Member {
        private static final Duration DEADLINE = Duration.ofSeconds(10);

        private Member() {
        }

        public static void main(String[] args) {
            Address address = Address.of(new InetSocketAddress("239.1.2.3", 4567));
            try (Hints hints = Hints.create().provider("udp").endpointType(EndpointType.DGRAM)
                         .capabilities(Capability.MSG, Capability.MULTICAST);
                 FabricInfoList infos = Fabric.getInfo("0.0.0.0", "4567", Set.of(GetInfoFlag.SOURCE), hints);
                 Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
                 EventQueue events = fabric.openEventQueue(); AddressVector addresses = domain.openAddressVector();
                 CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                 Endpoint endpoint = domain.openEndpoint(infos.first())
                         .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).bind(events).enable();
                 Arena arena = Arena.ofConfined()) {
                MulticastGroup group = endpoint.join(address, 77);
                assertThat(events.await(DEADLINE)).contains(new FabricEvent.JoinComplete(group, 77));
                assertThatThrownBy(() -> endpoint.join(address, 78)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("joined").hasMessageContaining("already");
                MemorySegment in = arena.allocate(256);
                assertThat(endpoint.messages().receive(in, Address.ANY, 1)).isTrue();
                MemorySegment out = arena.allocateFrom("to the group");
                MessageRequest request = endpoint.messages().sendRequest().buffers(out)
                        .flags(OperationFlag.MULTICAST);
                assertThatThrownBy(() -> request.peer(12345).post(2))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(request.peer(group.fabricAddress()).flags(OperationFlag.MULTICAST, OperationFlag.COMPLETION)
                        .post(2)).isTrue();
                assertThatThrownBy(() -> endpoint.messages().send(out, group.fabricAddress(), 3))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("MULTICAST");
                assertThatThrownBy(() -> endpoint.messages().inject(out, group.fabricAddress()))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("MULTICAST");
                int[] done = new int[1];
                long end = System.nanoTime() + DEADLINE.toNanos();
                while (done[0] < 2 && System.nanoTime() < end) {
                    queue.poll(completion -> done[0]++, 4);
                }
                System.out.println("received " + in.getString(0));
                long gone = group.fabricAddress();
                group.close();
                assertThatThrownBy(() -> request.peer(gone).post(2))
                        .isInstanceOf(IllegalArgumentException.class);
                System.out.println("left");
            }
        }
    }

    /** An endpoint that can join. */
    private static final class Joiner implements AutoCloseable {
        final FabricInfoList infos = Providers.UDP.find(MulticastTest::hints);
        final Fabric fabric = Fabric.open(infos.first());
        final Domain domain = fabric.openDomain(infos.first());
        final EventQueue events = fabric.openEventQueue();
        final Endpoint endpoint = domain.openEndpoint(infos.first())
                .bind(domain.openCompletionQueue(CompletionFormat.MSG), BindFlag.TRANSMIT, BindFlag.RECV)
                .bind(domain.openAddressVector()).bind(events).enable();

        @Override
        public void close() {
            fabric.close();
            infos.close();
        }
    }

    static final class Rivals {
        private static final int ROUNDS = 200;
        private static final Address GROUP = Address.of(new InetSocketAddress("239.1.2.3", 4567));

        private Rivals() {
        }

        public static void main(String[] args) throws Exception {
            try (Joiner joiner = new Joiner()) {
                for (int i = 0; i < ROUNDS; i++) {
                    CyclicBarrier together = new CyclicBarrier(2);
                    FutureTask<MulticastGroup> other = new FutureTask<>(() -> join(joiner, together));
                    Thread.ofPlatform().daemon().start(other);
                    MulticastGroup mine = join(joiner, together);
                    MulticastGroup its = other.get(10, TimeUnit.SECONDS);
                    assertThat(mine == null).as("round " + i).isNotEqualTo(its == null);
                    (mine == null ? its : mine).close();
                }
            }
            System.out.println("closed");
        }

        /** Null if the other thread has it. */
        private static MulticastGroup join(Joiner joiner, CyclicBarrier together) throws Exception {
            together.await(10, TimeUnit.SECONDS);
            try {
                return joiner.endpoint.join(GROUP, 1);
            } catch (FabricException e) {
                assertThat(e).hasMessageContaining("EADDRINUSE");
                return null;
            }
        }
    }

    static final class Reader {
        private static final int JOINS = 500;

        private Reader() {
        }

        public static void main(String[] args) throws Exception {
            try (Joiner joiner = new Joiner()) {
                for (int i = 0; i < JOINS; i++) {
                    CountDownLatch reads = new CountDownLatch(1);
                    FutureTask<FabricEvent> read = new FutureTask<>(() -> read(joiner.events, reads));
                    Thread.ofPlatform().daemon().start(read);
                    assertThat(reads.await(10, TimeUnit.SECONDS)).isTrue();
                    MulticastGroup group = joiner.endpoint.join(Rivals.GROUP, i);
                    assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo(new FabricEvent.JoinComplete(group, i));
                    group.close();
                }
            }
            System.out.println("all were named");
        }

        private static FabricEvent read(EventQueue events, CountDownLatch reads) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (System.nanoTime() < end) {
                Optional<FabricEvent> event = events.poll();
                if (event.isPresent()) {
                    return event.get();
                }
                reads.countDown();
            }
            return null;
        }
    }
}
