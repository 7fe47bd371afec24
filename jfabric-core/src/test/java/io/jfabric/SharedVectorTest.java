// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Address vectors that processes share by a name: on sockets. */
class SharedVectorTest {
    private static final String NAME = "jfabric-shared-" + ProcessHandle.current().pid();
    private static final int PLACES = 4;
    private static final AddressVectorAttributes SHARED =
            AddressVectorAttributes.DEFAULT.withCount(PLACES).shared(NAME);
    private static final AddressVectorAttributes READ_ONLY =
            AddressVectorAttributes.DEFAULT.withCount(PLACES).sharedReadOnly(NAME);

    private Pair pair;

    private static Address peer(int number) {
        return Address.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000 + number));
    }

    @BeforeEach
    void open() {
        Providers.SOCKETS.assumeOffered();
        pair = Pair.open(Providers.SOCKETS);
    }

    @AfterEach
    void close() throws Exception {
        if (pair != null) {
            pair.close();
        }
        Files.deleteIfExists(file());
    }

    private static Path file() {
        return Path.of("/dev/shm", NAME);
    }

    /** The provider would make it longer, and lose all that was in it. */
    @Test
    void aFullOneStaysAsItIs() {
        AddressVector vector = pair.domain.openAddressVector(SHARED);
        assertThatThrownBy(() -> vector.insertSymmetric("127.0.0.1", 1, "40000", PLACES + 1))
                .isInstanceOf(FabricException.class).hasMessageContaining("FI_ENOSPC");
        for (int i = 0; i < PLACES; i++) {
            assertThat(vector.insert(peer(i))).isEqualTo(i);
        }
        assertThatThrownBy(() -> vector.insert(peer(PLACES))).isInstanceOf(FabricException.class)
                .hasMessageContaining("FI_ENOSPC");
        assertThatThrownBy(() -> vector.insertService("127.0.0.1", "40004")).isInstanceOf(FabricException.class)
                .hasMessageContaining("FI_ENOSPC");
        for (int i = 0; i < PLACES; i++) {
            assertThat(vector.lookup(i)).isEqualTo(peer(i));
        }
        vector.remove(1);
        assertThat(vector.insert(peer(PLACES))).isEqualTo(1);
        assertThat(vector.lookup(1)).isEqualTo(peer(PLACES));
    }

    /** What the table says. */
    @Test
    void theNameIsGoneWithTheFirstThatCloses() {
        AddressVector vector = pair.domain.openAddressVector(SHARED);
        vector.insert(peer(0));
        AddressVector reader = pair.domain.openAddressVector(READ_ONLY);
        assertThat(reader.lookup(0)).isEqualTo(peer(0));
        assertThat(file()).exists();
        reader.close();
        assertThat(file()).doesNotExist();
    }

    @Test
    void theNameIsGoneOnceOneCannotBeOpened() {
        AddressVector vector = pair.domain.openAddressVector(SHARED);
        vector.insert(peer(0));
        assertThatThrownBy(() -> pair.domain.openAddressVector(READ_ONLY.withCount(2 * PLACES)))
                .isInstanceOf(FabricException.class);
        assertThat(file()).doesNotExist();
    }

    @Test
    void whoInsertsStartsItAnew() {
        AddressVector vector = pair.domain.openAddressVector(SHARED);
        vector.insert(peer(0));
        assertThat(pair.domain.openAddressVector(SHARED).insert(peer(1))).isZero();
        assertThat(vector.lookup(0)).isEqualTo(peer(1));
    }

    @Test
    void whatWasRemovedIsNotUsed() {
        AddressVector vector = pair.domain.openAddressVector(SHARED);
        AddressVector reader = pair.domain.openAddressVector(READ_ONLY);
        try (Arena arena = Arena.ofConfined()) {
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(reader)
                    .bind(pair.domain.openCompletionQueue(CompletionFormat.TAGGED), BindFlag.TRANSMIT, BindFlag.RECV)
                    .enable();
            MemorySegment message = arena.allocate(8);
            long first = vector.insert(peer(0));
            long second = vector.insert(pair.b.endpoint.address());
            assertThat(endpoint.messages().send(message, second, 1)).isTrue();
            vector.remove(first);
            assertThat(reader.lookup(second)).isEqualTo(pair.b.endpoint.address());
            for (long none : new long[] {first, PLACES - 1, PLACES, -1}) {
                assertThatThrownBy(() -> endpoint.messages().send(message, none, 2))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not in the address vector");
                assertThatThrownBy(() -> reader.lookup(none)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> vector.remove(none)).isInstanceOf(IllegalArgumentException.class);
            }
            endpoint.close();
        }
    }
}
