// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes with data can be posted until the endpoint is busy. */
@Timeout(90)
@Tag("long")
class RoomForDataTest {
    @Test
    void writesWithDataHaveRoom() {
        Providers.SOCKETS.assumeOffered();
        ChildJvm.Result result = SharedJvm.run(RoomForData.class);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("done 20000, received true");
    }
}
