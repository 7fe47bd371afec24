// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.info.Capability;
import io.jfabric.testing.Meeting;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.NodeGroup;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a member of a group does not ask for does not hold up what the others send it, or each other. */
@Timeout(120)
class HeldUpGroupsTest {
    private static final NodeOptions OPTIONS = NodeOptions.DEFAULT.withDeadline(HeldUpMember.DEADLINE);
    private static final long SECONDS = 90;
    private static final int FAILURES = 120;
    private static final int LENGTH = 800_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void byABroadcastThatOthersStartLater(Providers.Choice choice) throws Exception {
        worksInOneProcess(choice, "ahead");
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void byABroadcastThatOneNeverComesTo(Providers.Choice choice) throws Exception {
        worksInOneProcess(choice, "missing");
    }

    private static void worksInOneProcess(Providers.Choice choice, String what) throws Exception {
        try (NodeGroup company = NodeGroup.open(choice, HeldUpMember.SIZE,
                hints -> hints.capabilities(Capability.MSG, Capability.TAGGED), OPTIONS);
                ExecutorService members = Executors.newVirtualThreadPerTaskExecutor()) {
            // the kit's group is of the same addresses
            company.groups.forEach(Group::close);
            List<? extends Future<?>> done = company.nodes.stream()
                    .map(node -> members.submit(() -> HeldUpMember.run(what, node, company.addresses()))).toList();
            for (Future<?> member : done) {
                member.get(SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    /** What was on its way to those that had failed. */
    @ParameterizedTest
    @MethodSource("providers")
    void byOperationsThatHaveFailed(Providers.Choice choice) throws Exception {
        try (NodeGroup company = NodeGroup.open(choice, 3,
                hints -> hints.capabilities(Capability.MSG, Capability.TAGGED), OPTIONS)) {
            company.groups.forEach(Group::close);
            for (int i = 0; i < FAILURES; i++) {
                List<CompletableFuture<Void>> all = new ArrayList<>();
                List<Group> groups = groups(company, "fails " + i);
                groups.forEach(group -> all.add(add(group, LENGTH)));
                // not always at the same point
                long until = System.nanoTime() + i * 37 % 40 * 10_000L;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                all.get(i % 3).cancel(true);
                for (CompletableFuture<Void> one : all) {
                    one.handle((done, why) -> true).get(SECONDS, TimeUnit.SECONDS);
                }
                groups.forEach(Group::close);
            }
            for (int from = 0; from < 3; from++) {
                for (int to = 0; to < 3; to++) {
                    Node sender = company.nodes.get(from);
                    Node receiver = company.nodes.get(to);
                    int tag = 3 * from + to;
                    CompletableFuture<Received> received = receiver.receive(receiver.allocate(8192), tag);
                    sender.send(sender.allocate(8192), sender.peer(receiver.address()), tag)
                            .get(SECONDS, TimeUnit.SECONDS);
                    assertThat(received.get(SECONDS, TimeUnit.SECONDS).length()).isEqualTo(8192);
                }
            }
            List<CompletableFuture<Void>> last = new ArrayList<>();
            groups(company, "last").forEach(group -> last.add(add(group, LENGTH)));
            for (CompletableFuture<Void> one : last) {
                one.get(SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static List<Group> groups(NodeGroup company, String name) {
        return company.nodes.stream().map(node -> Group.ofAddresses(node, name, company.addresses())).toList();
    }

    private static CompletableFuture<Void> add(Group group, long bytes) {
        return group.allReduce(Arena.ofAuto().allocate(bytes, 8), Arena.ofAuto().allocate(bytes, 8), Datatype.INT64,
                AtomicOp.SUM);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"ahead", "missing"})
    void amongProcesses(String what) {
        Providers.SHM.assumeOffered();
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < HeldUpMember.SIZE; i++) {
                children.add(ChildJvm.of(HeldUpMember.class, Providers.SHM.provider(), what)
                        .flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC").start());
            }
            Meeting.of(children);
            children.forEach(child -> child.awaitLine("RIGHT"::equals));
            children.forEach(child -> child.tell("end"));
            children.forEach(child -> assertThat(child.await().exitCode()).as(child.output()).isZero());
        } finally {
            children.forEach(ChildJvm::close);
        }
    }
}
