// SPDX-License-Identifier: Apache-2.0
package io.jfabric.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricArena;
import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.Docs;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of mistakes in docs/troubleshooting.md: each is made here, and answered with what stands there. */
@Timeout(60)
class MistakesTest {
    private static final String TABLE = Docs.text(Docs.ROOT.resolve("docs/troubleshooting.md"));
    private final MemorySegment memory = Arena.ofAuto().allocate(64);

    private static void answered(String text, String answer) {
        assertThat(text).contains(answer);
        assertThat(TABLE).contains(answer);
    }

    private static void answered(Throwable thrown, String answer) {
        assertThat(thrown).isNotNull();
        answered(thrown.getMessage(), answer);
    }

    @Test
    @Tag("long")
    void whatHangsIsSaidInTheLog() {
        assumeTrue(Providers.SHM.isOffered() && Providers.RXM.isOffered());
        ChildJvm.Result result = ChildJvm.of(MistakesChild.class).flags("-Djfabric.watchSeconds=1").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        Map<String, String> names = result.output().lines().filter(line -> line.matches("[a-z]+ endpoint@.*"))
                .collect(Collectors.toMap(line -> line.split(" ")[1], line -> line.split(" ")[0]));
        Map<String, String> said = result.output().lines().filter(line -> line.contains("io.jfabric.Endpoint - "))
                .map(line -> line.substring(line.indexOf(" - ") + 3))
                .collect(Collectors.toMap(line -> names.getOrDefault(line.substring(0, line.indexOf(':')), "others"),
                        line -> line.substring(line.indexOf(": ") + 2), (one, other) -> one + "\n" + other));
        answered(said.get("ignoring"), "the last operation was not taken (its method returned false) and was not "
                + "repeated since: was the result ignored?");
        answered(said.get("unpolled"), "1 sends or transfers are under way, and none has completed for ");
        answered(said.get("nobody"), "operations (their methods returned false): the peer cannot be reached, is gone "
                + "or does not poll, or nobody polls the completion queue here");
        answered(said.get("mismatched"), "1 receives wait, and nothing has come in for ");
        answered(said.get("mismatched"), " s: is the queue polled, does the peer send to this endpoint, with a tag "
                + "that matches?");
        assertThat(said).as("who has nothing to do makes no mistake").doesNotContainKey("idle");
        assertThat(result.output()).contains("100 objects of one Domain are open (the youngest: MemoryRegion)")
                .contains("; if that is more than you meant, some are not closed: Fabric.openObjects() lists them");
        assertThat(TABLE).contains("100 objects of one Domain are open (the youngest: Endpoint)");
    }

    @Test
    void nobodyIsWatchedUnasked() {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM)) {
            assertThat(pair.a.endpoint.isOpen()).isTrue();
            assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).doesNotContain("jfabric-watch");
        }
    }

    @Test
    void bindingTooLate() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            answered(catchThrowable(() -> pair.a.endpoint.bind(
                    pair.domain.openCompletionQueue(CompletionFormat.MSG), BindFlag.TRANSMIT)),
                    "the endpoint is enabled already, bind before that");
        }
    }

    @Test
    void anAddressOfAnotherProvider() {
        assumeTrue(Providers.SHM.isOffered() && Providers.RXM.isOffered());
        byte[] ip = Address.of(new InetSocketAddress("127.0.0.1", 9)).bytes();
        try (Pair shm = Pair.open(Providers.SHM); Pair tcp = Pair.open(Providers.RXM)) {
            answered(catchThrowable(() -> shm.a.addresses.insert(ip)), "the address is not text, but this provider's "
                    + "addresses are; does it come from a peer that uses another provider?");
            byte[] name = shm.a.endpoint.address().bytes();
            answered(catchThrowable(() -> tcp.a.addresses.insert(name)),
                    "does it come from a peer that uses another provider?");
        }
    }

    @Test
    void anArenaClosedTooEarly() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment posted = arena.allocate(64);
            pair.post(() -> pair.a.endpoint.messages().receive(posted, Address.ANY, 1));
            answered(catchThrowable(arena::close), "the arena cannot be closed, its memory is still used");
        }
    }

    @Test
    void aMessageThatIsTooLong() {
        assumeTrue(Providers.SHM.isOffered() && Providers.RXM.isOffered());
        answered(truncated(Providers.SHM), "56 bytes did not fit into the buffer");
        assertThat(truncated(Providers.RXM)).matches(text -> text.contains("56 bytes did not fit into the buffer")
                || text.contains("the receive has room for 8 bytes"));
        assertThat(TABLE).contains("the receive has room for 8 bytes");
    }

    private String truncated(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            pair.post(() -> pair.b.endpoint.messages().receive(memory.asSlice(0, 8), Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 2));
            Done failed = pair.awaitError(pair.b, 1);
            return failed.error().toString();
        }
    }
}
