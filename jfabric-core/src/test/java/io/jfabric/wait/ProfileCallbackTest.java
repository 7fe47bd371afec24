// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.Profile;
import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callbacks of profiles, where there are any: tcp of a libfabric that is configured with {@code --enable-profile} and
 * named in {@code JFABRIC_LIBRARY}. All others must say that they have none.
 */
class ProfileCallbackTest {
    private static final int RECEIVED = 0;
    private static final int MATCHED = 1;
    /** Of unexpected messages. */
    private static final int COUNT = 0;

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void areCalledOrRefused(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Profile profile;
            try {
                profile = pair.domain.openProfile(pair.b.endpoint);
            } catch (FabricException none) {
                assertThat(none.error()).isIn(FabricError.ENOSYS, FabricError.EINVAL);
                assertThat(none).hasMessageContaining("fi_profile_open");
                return;
            }
            calls(pair, profile);
            reads(profile);
        }
    }

    /** One of its variables has memory; those without were read, and the JVM crashed. */
    private static void reads(Profile profile) {
        assertThat(profile.variables()).hasSizeGreaterThan(1);
        assertThat(profile.read(COUNT)).isPositive();
        profile.variables().stream().mapToInt(Profile.Variable::id).filter(id -> id != COUNT).forEach(id ->
                assertThatThrownBy(() -> profile.read(id)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("variable " + id));
        assertThatThrownBy(profile::startReads).isInstanceOf(FabricException.class);
        profile.endReads();
        profile.reset();
    }

    private static void calls(Pair pair, Profile profile) {
        List<String> former = new CopyOnWriteArrayList<>();
        List<String> seen = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> profile.registerCallback(70_000, (event, data) -> { }))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("70000");
        assertThatThrownBy(() -> profile.registerCallback(RECEIVED, null)).isInstanceOf(NullPointerException.class);
        profile.registerCallback(RECEIVED, (event, data) -> former.add(event.name()));
        profile.registerCallback(RECEIVED, (event, data) -> seen.add(event.name() + " " + data.byteSize()));
        profile.registerCallback(MATCHED, (event, data) -> {
            seen.add(event.name());
            throw new IllegalStateException("on purpose: must not end the VM");
        });
        MemorySegment buffer = Arena.ofAuto().allocate(8);
        pair.post(() -> pair.a.endpoint.tagged().send(buffer, pair.a.peer, 5, 1));
        pair.until("an unexpected message", () -> !seen.isEmpty());
        pair.post(() -> pair.b.endpoint.tagged().receive(buffer, Address.ANY, 5, 0, 2));
        pair.await(pair.b, 2);
        assertThat(seen).containsExactly("pevent_unexp_msg_recd 0", "pevent_unexp_msg_matched");
        profile.registerCallback(RECEIVED, (event, data) -> former.add("data of " + data.byteSize()));
        pair.post(() -> pair.a.endpoint.tagged().send(buffer, pair.a.peer, 6, 3));
        pair.until("another one", () -> !former.isEmpty());
        assertThat(former).containsExactly("data of 0");
        assertThat(seen).hasSize(2);
    }
}
