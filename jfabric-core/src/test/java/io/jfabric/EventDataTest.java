// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Flags;
import io.jfabric.internal.connect.ConnectionRequestImpl;
import io.jfabric.internal.queue.CompletionErrorImpl;
import org.junit.jupiter.api.Test;

/** What was reported stays what it was, whoever got hold of its bytes. */
class EventDataTest {
    private static byte[] bytes() {
        return new byte[] {1, 2, 3};
    }

    private static CompletionError error(byte[] data) {
        return new CompletionErrorImpl(1, Flags.ofBits(CompletionFlag.class, 0), 0, 0, 0, 0, 0, 5, 0, "", data, -1);
    }

    @Test
    void theDataOfAnErrorIsACopy() {
        byte[] given = bytes();
        CompletionError error = error(given);
        given[0] = 9;
        assertThat(error.errorData()).isEqualTo(bytes());
        error.errorData()[0] = 9;
        assertThat(error.errorData()).isEqualTo(bytes());
        assertThat(error).isEqualTo(error(bytes())).hasSameHashCodeAs(error(bytes()))
                .isNotEqualTo(error(new byte[] {1}));
    }

    @Test
    void theDataOfEventsIsACopy() {
        byte[] given = bytes();
        FabricEvent.Connected connected = new FabricEvent.Connected(null, given);
        FabricEvent.ConnectionRequest request = new ConnectionRequestImpl(null, null, bytes());
        given[0] = 9;
        connected.data()[1] = 9;
        request.data()[1] = 9;
        assertThat(connected.data()).isEqualTo(bytes());
        assertThat(request.data()).isEqualTo(bytes());
        assertThat(connected).isEqualTo(new FabricEvent.Connected(null, bytes()))
                .hasSameHashCodeAs(new FabricEvent.Connected(null, bytes()))
                .isNotEqualTo(new FabricEvent.Connected(null, new byte[0]));
        assertThat(request).isEqualTo(new ConnectionRequestImpl(null, null, bytes()))
                .hasSameHashCodeAs(new ConnectionRequestImpl(null, null, bytes()))
                .isNotEqualTo(new ConnectionRequestImpl(null, null, new byte[0]));
    }

    @Test
    void aRequestToAListenerThatIsGoneCannotBeRejected() {
        assertThatThrownBy(() -> new ConnectionRequestImpl(null, null, bytes()).reject())
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }
}
