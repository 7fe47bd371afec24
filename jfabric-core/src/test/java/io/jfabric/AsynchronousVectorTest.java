// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A vector that was opened for asynchronous insertions: the others insert, and say that they have not. */
class AsynchronousVectorTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    @SuppressWarnings("deprecation")
    void insertsInOneWay(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofShared()) {
            EventQueue events = pair.fabric.openEventQueue();
            AddressVector vector;
            try {
                vector = pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.withAsynchronous(true))
                        .bind(events);
            } catch (FabricException unsupported) {
                assertThat(unsupported.error()).isEqualTo(FabricError.ENOSYS);
                return;
            }
            Address own = pair.a.endpoint.address();
            if (pair.info.addressFormat() == AddressFormat.ADDR_STR) {
                // whose addresses are texts, which are inserted at once
                assertThat(vector.lookup(vector.insert(own))).isEqualTo(own);
                return;
            }
            assumeTrue(pair.info.addressFormat() == AddressFormat.SOCKADDR_IN, "written for IPv4");
            Address peer = Address.of(new InetSocketAddress("127.0.0.1", 44_000));
            MemorySegment packed = arena.allocate(16, 8).copyFrom(MemorySegment.ofArray(peer.bytes()));
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            refuses(() -> vector.insert(peer));
            refuses(() -> vector.insert(peer.bytes()));
            refuses(() -> vector.insert(List.of(peer)));
            refuses(() -> vector.insertAll(packed, 1, value));
            refuses(() -> vector.insertService("127.0.0.1", "44000"));
            refuses(() -> vector.insertSymmetric("127.0.0.1", 1, "44000", 1));
            assertThat(events.poll()).isEmpty();
            vector.insertAsync(packed, 1, value, 0);
            assertThat(events.await(Duration.ofSeconds(10)))
                    .contains(new FabricEvent.AddressesInserted(vector, 0, 1));
            assertThat(value.get(ValueLayout.JAVA_LONG, 0)).isNotEqualTo(Address.NOT_AVAILABLE);
        }
    }

    private static void refuses(ThrowingCallable insertion) {
        assertThatThrownBy(insertion).isInstanceOf(IllegalStateException.class).hasMessageContaining("insertAsync");
    }
}
