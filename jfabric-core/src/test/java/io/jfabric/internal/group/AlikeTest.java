// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.internal.ffi.Errno;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two names of groups whose tags are the same; and a name that was not used for long. */
class AlikeTest {
    private static final int NAMES = 100;

    private final FakeTransport network = new FakeTransport(0, 3);
    private final Registry registry = new Registry(NAMES);
    private final List<Integer> left = new ArrayList<>();
    private final List<String> names = names();

    /** Two whose numbers are the same. */
    static List<String> names() {
        Map<Integer, String> seen = new HashMap<>();
        for (int i = 0;; i++) {
            String name = "job " + i;
            String other = seen.put(Tags.number(Tags.id(name)), name);
            if (other != null) {
                return List.of(other, name);
            }
        }
    }

    private GroupImpl group(String name) {
        return new GroupImpl(network, registry, name, Duration.ofSeconds(60));
    }

    private static Failure failure(String name, int turn, int operation) {
        return new Failure(Tags.id(name), turn, 1, operation, Errno.EIO, "no reason");
    }

    /** And the others are told, once. */
    private void isRefused(String name, String why) {
        network.told.clear();
        String reason = "the group cannot be made: a group of the node whose tags are the same by chance " + why;
        assertThatThrownBy(() -> group(name)).isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(reason).hasMessageEndingWith("another name at all members");
        assertThat(network.told).hasSize(2).allMatch(word -> word.contains(" 0 " + reason));
        assertThatThrownBy(() -> group(name)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a group of this name and these members has failed");
        assertThat(network.told).hasSize(2);
    }

    @Test
    void oneIsRefusedWhileTheOtherIsOpen() {
        GroupImpl first = group(names.getFirst());
        isRefused(names.getLast(), "is open");
        first.close();
        // what the others have sent to the one that was refused
        isRefused(names.getFirst(), "has failed");
    }

    @Test
    void oneIsRefusedOnceTheOtherHasFailed() {
        GroupImpl first = group(names.getFirst());
        first.barrier();
        first.close();
        isRefused(names.getLast(), "has failed");
    }

    @Test
    void oneIsRefusedOnceTheOtherHasFailedElsewhere() {
        registry.heard(failure(names.getFirst(), 0, 0), left::add);
        isRefused(names.getLast(), "has failed");
        assertThat(group(names.getFirst()).barrier()).isCompletedExceptionally();
    }

    /** It is not the second of its name, nor does it end with the other. */
    @Test
    void oneIsToldNothingOfTheOther() {
        group(names.getFirst()).close();
        GroupImpl second = group(names.getLast());
        CompletableFuture<Void> barrier = second.barrier();
        registry.heard(failure(names.getFirst(), 0, 0), left::add);
        registry.heard(failure(names.getFirst(), 1, 0), left::add);
        assertThat(barrier).isNotDone();
        assertThat(left).as("its messages are received").isEmpty();
        registry.heard(failure(names.getLast(), 0, 0), left::add);
        assertThat(barrier).isCompletedExceptionally();
    }

    /** It may be behind that of which the member speaks, or after it: all ends. */
    @ParameterizedTest
    @ValueSource(ints = {7, -1})
    void whatIsToldOfANameOfLongAgoEndsItsGroup(int turn) {
        group("").close();
        for (int i = 0; i < NAMES; i++) {
            group("group " + i).close();
        }
        GroupImpl group = group("");
        List<CompletableFuture<Void>> all = List.of(group.barrier(), group.barrier());
        registry.heard(failure("", turn, 1), left::add);
        assertThat(all).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(all.getFirst().exceptionNow()).hasMessageContaining("failed at rank 1: no reason");
        group("group 1").barrier().cancel(true);
        assertThat(network.turns.getLast()).isEqualTo(1);
        group("new").barrier().cancel(true);
        assertThat(network.turns.getLast()).isZero();
    }

    @Test
    void whatAMemberSaysOfANameOfLongAgoEndsItsGroup() {
        group("").close();
        CompletableFuture<Void> barrier = group("").barrier();
        registry.heard(failure("", -1, 5), left::add);
        assertThat(barrier).isCompletedExceptionally();
    }
}
