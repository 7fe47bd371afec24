// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Version;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints with room for few operations: what does not fit is refused, and what was taken arrives. */
@Timeout(60)
class ShmSizesTest {
    private static final int ROUNDS = 50;
    private static final long UNASKED = 99;

    @BeforeAll
    static void offered() {
        Providers.SHM.assumeOffered();
    }

    /** Where the environment says one, the provider takes no more. */
    @Test
    void oneReceiveIsRefusedWhereNoMoreAreTaken() {
        ChildJvm.Result result = ChildJvm.of(Opener.class).environment("FI_SHM_RX_SIZE", "1").run();
        // with one entry, what follows the queues in memory is at odd places
        assertThat(result.output()).doesNotContain("cannot be watched");
        boolean overflows = Fabric.version().compareTo(new Version(1, 18)) >= 0;
        assertThat(result.output()).contains(overflows ? "set it to 2 or more" : "opened");
    }

    @ParameterizedTest
    @ValueSource(strings = {"FI_SHM_TX_SIZE", "FI_SHM_RX_SIZE"})
    void noneAreRefused(String variable) {
        ChildJvm.Result result = ChildJvm.of(Opener.class).environment(variable, "0").run();
        assertThat(result.output()).contains(variable + "=0 in the environment").contains("set it to 2 or more");
    }

    /** More than the provider can count. */
    @ParameterizedTest
    @ValueSource(strings = {"32769", "70000"})
    void manyAreNotTooMany(String size) {
        ChildJvm.Result result = ChildJvm.of(Opener.class).environment("FI_SHM_RX_SIZE", size)
                .environment("FI_SHM_TX_SIZE", size).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("opened");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 63, 64, 65, 959, 960, 961, 1023, 1024})
    void takesWhatItAnswersFor(long size) {
        try (Pair pair = Pair.open(Providers.SHM, hints -> {
            hints.tx().size(size);
            hints.rx().size(size);
        }); Arena arena = Arena.ofConfined()) {
            pair.connect();
            MemorySegment early = arena.allocateFrom(ValueLayout.JAVA_LONG, UNASKED);
            pair.post(() -> pair.a.endpoint.tagged().send(early, pair.a.peer, UNASKED, UNASKED));
            exchange(pair, arena);
            MemorySegment in = arena.allocate(Long.BYTES);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, UNASKED, 0, UNASKED));
            pair.await(pair.b, UNASKED);
            assertThat(in.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(UNASKED);
        }
    }

    /** As many at a time as go, then all are received. */
    private static void exchange(Pair pair, Arena arena) {
        MemorySegment out = arena.allocate(Long.BYTES * ROUNDS);
        MemorySegment in = arena.allocate(Long.BYTES * ROUNDS);
        int sent = 0;
        int received = 0;
        while (received < ROUNDS) {
            while (sent < ROUNDS) {
                out.setAtIndex(ValueLayout.JAVA_LONG, sent, 1000 + sent);
                if (!pair.a.endpoint.messages().send(out, sent * 8L, 8, pair.a.peer, sent)) {
                    break;
                }
                sent++;
            }
            long context = received;
            pair.post(() -> pair.b.endpoint.messages().receive(in, context * 8, 8, Address.ANY, context));
            pair.await(pair.b, context);
            received++;
        }
        assertThat(sent).isEqualTo(ROUNDS);
        assertThat(in.mismatch(out)).isEqualTo(-1);
    }

    /** Says whether an endpoint can be opened. */
    static final class Opener {
        private Opener() {
        }

        public static void main(String[] args) {
            try (Pair pair = Pair.open(Providers.SHM)) {
                pair.connect();
                System.out.println("opened");
            } catch (IllegalStateException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }
}
