// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.OpenObject;
import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The list of what is open. */
@Timeout(60)
class OpenObjectsTest {
    @Test
    void everythingOpenIsListedBelowItsParent() {
        assumeTrue(Providers.RXM.isOffered());
        long before = Fabric.openObjects().stream().mapToLong(OpenObject::number).max().orElse(-1);
        try (Pair pair = Pair.open(Providers.RXM); FabricArena arena = pair.domain.openArena()) {
            List<OpenObject> mine = since(before);
            assertThat(mine).extracting(OpenObject::kind).containsSubsequence("Fabric", "Domain", "AddressVector",
                    "CompletionQueue", "Endpoint", "AddressVector", "CompletionQueue", "Endpoint", "FabricArena");
            assertThat(mine.getFirst().parent()).isEmpty();
            assertThat(mine.getLast().parent()).hasValue(mine.get(1).number());
            assertThat(mine.getFirst().place().orElseThrow()).contains("Pair.");
            assertThat(mine.getLast().description()).isEqualTo(arena.toString());
            List<String> tree = OpenObject.tree(mine).lines().toList();
            assertThat(tree).hasSize(mine.size());
            assertThat(tree.getFirst()).startsWith("fabric@0x").contains(", opened at ");
            assertThat(tree.get(1)).startsWith("  domain@0x").contains("tcp;ofi_rxm");
            assertThat(tree.get(2)).startsWith("    address vector@0x");
        }
        assertThat(since(before)).isEmpty();
    }

    @Test
    void soAreTheEverydayOnes() throws Exception {
        assumeTrue(Providers.SHM.isOffered());
        long before = Fabric.openObjects().stream().mapToLong(OpenObject::number).max().orElse(-1);
        try (Hints hints = Hints.rdm().provider("shm").capabilities(Capability.TAGGED);
                Node node = Node.open(hints)) {
            try (Service service = Service.open(node, 7, CallHandler.of(bytes -> bytes));
                    Caller caller = Caller.open(node.peer(node.address()), 7)) {
                List<OpenObject> mine = since(before);
                OpenObject its = only(mine, "Node");
                assertThat(its.parent()).hasValue(mine.getFirst().number());
                assertThat(its.description()).isEqualTo(node.toString());
                assertThat(only(mine, "Service").parent()).hasValue(its.number());
                assertThat(only(mine, "Service").description()).isEqualTo(service.toString());
                assertThat(only(mine, "Caller").parent()).hasValue(its.number());
                assertThat(only(mine, "Caller").description()).isEqualTo(caller.toString());
                assertThat(mine).filteredOn(open -> open.place().isPresent()).as("the node's own pool among them")
                        .anyMatch(open -> open.kind().startsWith("BufferPool"))
                        .allMatch(open -> open.place().get().contains("OpenObjectsTest.soAreTheEverydayOnes"));
            }
            assertThat(since(before)).extracting(OpenObject::kind).contains("Node").doesNotContain("Service", "Caller");
        }
        // what the provider still had is freed soon after
        Waits.until("nothing is open", () -> since(before).isEmpty());
    }

    private static OpenObject only(List<OpenObject> objects, String kind) {
        List<OpenObject> found = objects.stream().filter(object -> object.kind().equals(kind)).toList();
        assertThat(found).as(kind).hasSize(1);
        return found.getFirst();
    }

    /** Nothing is in it that is there only in part. */
    @Test
    void aListMayBeMadeWhileObjectsAreOpened() throws InterruptedException {
        assumeTrue(Providers.SHM.isOffered());
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        Thread lister = Thread.ofPlatform().start(() -> {
            while (!over.get() && wrong.get() == null) {
                try {
                    OpenObject.tree(Fabric.openObjects());
                } catch (Throwable e) {
                    wrong.set(e);
                }
            }
        });
        try (Pair pair = Pair.open(Providers.SHM)) {
            for (int i = 0; i < 500 && wrong.get() == null; i++) {
                pair.domain.openEndpoint(pair.info).close();
            }
        } finally {
            over.set(true);
            lister.join();
        }
        assertThat(wrong.get()).isNull();
    }

    @Test
    void manyObjectsMakeATreeInNoTime() {
        int number = 200_000;
        List<OpenObject> many = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            many.add(new OpenObject(i, i == 0 ? OptionalLong.empty() : OptionalLong.of(i % 2 == 0 ? 0 : i - 1), "kind",
                    "number " + i, Duration.ZERO, Optional.empty()));
        }
        List<String> lines = OpenObject.tree(many).lines().toList();
        assertThat(lines).hasSize(number);
        assertThat(lines.subList(0, 5)).extracting(line -> line.replaceAll(",.*", ""))
                .containsExactly("number 0", "  number 1", "  number 2", "    number 3", "  number 4");
    }

    private static List<OpenObject> since(long number) {
        return Fabric.openObjects().stream().filter(open -> open.number() > number).toList();
    }
}
