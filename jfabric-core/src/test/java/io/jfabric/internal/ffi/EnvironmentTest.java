// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/** Variables that C code sees. */
class EnvironmentTest {
    @Test
    void areSetReplacedAndRemoved() {
        String path = LibC.getenv("PATH");
        Environment.set("JFABRIC_TEST", "one");
        Environment.set("JFABRIC_TEST_2", "another");
        assertThat(LibC.getenv("JFABRIC_TEST")).isEqualTo("one");
        Environment.set("JFABRIC_TEST", "");
        assertThat(LibC.getenv("JFABRIC_TEST")).isEmpty();
        Environment.set("JFABRIC_TEST", null);
        assertThat(LibC.getenv("JFABRIC_TEST")).isNull();
        assertThat(LibC.getenv("JFABRIC_TEST_2")).isEqualTo("another");
        // the C library goes on from there
        LibC.setenv("JFABRIC_TEST", "by C");
        LibC.setenv("JFABRIC_TEST_2", null);
        Environment.set("JFABRIC_TEST_2", "again");
        assertThat(LibC.getenv("JFABRIC_TEST")).isEqualTo("by C");
        assertThat(LibC.getenv("JFABRIC_TEST_2")).isEqualTo("again");
        Environment.set("JFABRIC_TEST", null);
        Environment.set("JFABRIC_TEST_2", null);
        assertThat(LibC.getenv("PATH")).isEqualTo(path).isNotNull();
    }

    @Test
    void areReadMeanwhile() {
        ChildJvm.Result result = ChildJvm.of(Reading.class).run();
        assertThat(result.output()).contains("survived");
        assertThat(result.exitCode()).isZero();
    }

    /** Threads look for a variable that is not there, and so through all of them. */
    static final class Reading {
        private Reading() {
        }

        public static void main(String[] arguments) throws InterruptedException {
            Meanwhile.reading(() -> LibC.getenv("JFABRIC_ABSENT"), () -> {
                for (int i = 0; i < 2000; i++) {
                    Environment.set("JFABRIC_TEST_" + i, "value");
                }
            });
        }
    }
}
