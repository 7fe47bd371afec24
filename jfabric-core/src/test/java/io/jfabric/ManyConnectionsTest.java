// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An endpoint of sockets has places for 1,024 connections, unless somebody says otherwise early enough. */
@Timeout(60)
@Tag("long")
class ManyConnectionsTest {
    @BeforeEach
    void offered() {
        Providers.SOCKETS.assumeOffered();
    }

    @Test
    void thePlaceOfWhoHasEndedIsNobodyElses() {
        ChildJvm.Result result = ChildJvm.of(ManyConnections.class, "true").run();
        assertThat(result.output()).contains("nothing came", "closed");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void thereIsRoomForMore() {
        ChildJvm.Result result = ChildJvm.of(ManyConnections.class, "false").run();
        assertThat(result.output()).contains("all came", "closed");
        assertThat(result.exitCode()).isZero();
    }
}
