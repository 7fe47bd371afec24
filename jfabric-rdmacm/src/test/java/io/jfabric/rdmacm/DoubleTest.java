// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/**
 * Over a double of the library, what no machine without InfiniBand gives: lists of several entries, routes, connection
 * data, names, and every error; and how many entries are not freed.
 */
class DoubleTest {
    @Test
    void passes() {
        ChildJvm.Result result = ChildJvm.of(DoubleChecks.class)
                .environment("JFABRIC_RDMACM", Compiled.library("library-double").toString()).run();
        assertThat(result.output()).contains("passed chain, errors, forgotten, threads");
        assertThat(result.exitCode()).isZero();
    }
}
