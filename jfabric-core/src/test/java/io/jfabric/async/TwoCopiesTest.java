// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.testing.CopyLoader;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two copies of jfabric in one process, each in a class loader of its own, as two applications of one server. */
@Timeout(90)
class TwoCopiesTest {
    /** Crashed when one was closed and the other sent to it. */
    @ParameterizedTest
    @ValueSource(strings = {"met", "expected"})
    void doNotTalkOverShm(String scenario) {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        ChildJvm.Result result = SharedJvm.run(Shm.class, scenario);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** What each copy does; run by its own class of this name. */
    static final class Copy {
        private static Node node;

        private Copy() {
        }

        static byte[] open(String name) {
            try (Hints hints = Hints.rdm().provider("shm")) {
                node = Node.open(name == null ? hints : hints.sourceAddress(Address.of(name)));
            }
            return node.address().bytes();
        }

        static void insert(byte[] address) {
            node.peer(address);
        }

        static void close() {
            node.close();
        }
    }

    /** What the process does. */
    static final class Shm {
        private Shm() {
        }

        public static void main(String[] args) throws Exception {
            try (CopyLoader one = new CopyLoader(); CopyLoader other = new CopyLoader()) {
                if (args[0].equals("met")) {
                    met(one, other);
                } else {
                    expected(one, other);
                }
            }
        }

        private static void met(CopyLoader one, CopyLoader other) throws Exception {
            Object a = one.call(Copy.class, "open", (Object) null);
            Object b = other.call(Copy.class, "open", (Object) null);
            one.call(Copy.class, "insert", a);
            refused(one, b);
            refused(other, a);
            other.call(Copy.class, "close");
            // the name is free again
            assertThat(System.getProperties().stringPropertyNames()).filteredOn(name -> name.startsWith("jfabric.shm"))
                    .hasSize(1);
            one.call(Copy.class, "close");
            assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.startsWith("jfabric.shm"));
        }

        private static void refused(CopyLoader copy, Object address) {
            assertThatIllegalStateException().isThrownBy(() -> copy.call(Copy.class, "insert", address))
                    .withMessageContaining("another copy of jfabric");
        }

        private static void expected(CopyLoader one, CopyLoader other) throws Exception {
            String later = "fi_ns://jfabric-later-" + ProcessHandle.current().pid();
            one.call(Copy.class, "open", (Object) null);
            try {
                one.call(Copy.class, "insert", Address.of(later).bytes());
            } catch (IllegalStateException e) {
                throw e;
            } catch (RuntimeException absent) {
                // before 2.0 only what is there can be inserted
                one.call(Copy.class, "close");
                return;
            }
            assertThatIllegalStateException().isThrownBy(() -> other.call(Copy.class, "open", later))
                    .withMessageContaining("another copy of jfabric");
            one.call(Copy.class, "close");
            other.call(Copy.class, "open", later);
            other.call(Copy.class, "close");
            assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.startsWith("jfabric.shm"));
        }
    }
}
