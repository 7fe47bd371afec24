// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jfabric.CompletionQueue;
import io.jfabric.EventQueue;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of several objects some cannot be closed: the others are, and the exception tells of all that could not. */
class PartlyClosedTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void whatWentWrongAfterTheFirstIsSuppressed(Providers.Choice choice) {
        try (Pair user = Pair.open(choice); Pair pair = Pair.open(choice)) {
            FidObject uses = (FidObject) user.a.endpoint;
            CompletionQueue one = pair.domain.openCompletionQueue(CompletionFormat.MSG);
            CompletionQueue other = pair.domain.openCompletionQueue(CompletionFormat.MSG);
            EventQueue events = pair.fabric.openEventQueue();
            uses.uses((FidObject) one);
            uses.uses((FidObject) other);
            Throwable failure;
            try {
                failure = catchThrowable(pair.fabric::close);
                assertThat(Stream.of(one, other, pair.domain, pair.fabric)).allMatch(object -> object.isOpen());
                assertThat(Stream.of(pair.a.endpoint, pair.a.queue, pair.b.endpoint, pair.b.queue, pair.a.addresses,
                        events)).noneMatch(object -> object.isOpen());
            } finally {
                uses.usesNoLonger((FidObject) one);
                uses.usesNoLonger((FidObject) other);
            }
            assertThat(failure).isInstanceOfSatisfying(FabricException.class,
                    first -> assertThat(first.error()).isEqualTo(FabricError.EBUSY));
            assertThat(failure.getSuppressed()).hasSizeGreaterThanOrEqualTo(2);
            assertThat(failure.getSuppressed()).anySatisfy(second -> assertThat(second)
                    .isInstanceOf(FabricException.class).hasMessageContaining("EBUSY"));
            assertThat(failure.getSuppressed()).anySatisfy(left -> assertThat(left)
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("stays open")
                    .hasMessageContaining(one.toString()).hasMessageContaining(other.toString()));
            pair.fabric.close();
            assertThat(one.isOpen() || other.isOpen() || pair.fabric.isOpen()).isFalse();
        }
    }
}
