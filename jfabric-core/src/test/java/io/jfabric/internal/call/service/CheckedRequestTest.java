// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** For how long a request can be read where mistakes are looked for. */
class CheckedRequestTest {
    private static boolean isKept(boolean isAnswer) {
        CheckedRequest checked = new CheckedRequest(MemorySegment.ofArray(new byte[100]));
        MemorySegment request = checked.memory();
        MemorySegment other = isAnswer ? request.asSlice(50) : Arena.ofAuto().allocate(50);
        checked.answeredWith(new MemorySegment[] {MemorySegment.ofArray(new byte[8]), other});
        boolean isKept = request.scope().isAlive();
        checked.end();
        assertThat(request.scope().isAlive()).isFalse();
        return isKept;
    }

    @Test
    void itIsKeptWhileAPartOfItIsSent() {
        assertThat(isKept(true)).isTrue();
        assertThat(isKept(false)).isFalse();
    }
}
