// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.async.Node;
import io.jfabric.info.Hints;
import io.jfabric.info.Parameter;
import io.jfabric.internal.ffi.Meanwhile;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code libfabric.conf} sets is as dangerous as what the environment sets, and is found as well. */
@Timeout(60)
class ConfigurationFileTest {
    private static final String FILE = "/libfabric.conf\0";

    /** Its name is as short as that of Debian, {@code /etc/libfabric.conf}. */
    private final Path file = Path.of("/tmp/jfabric" + ProcessHandle.current().pid() % 1_000_000);
    @TempDir
    private Path directory;

    @AfterEach
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    /** With a copy of the library that reads a file of ours. */
    private ChildJvm.Result run(Class<?> main, String line, String... arguments) throws IOException {
        byte[] library = Files.readAllBytes(Path.of(Fabric.libraryPath()).toRealPath());
        int end = new String(library, StandardCharsets.ISO_8859_1).indexOf(FILE);
        assumeTrue(end >= 0, "a library without such a file");
        int start = end;
        while (library[start - 1] != 0) {
            start--;
        }
        byte[] name = (file + "\0").getBytes(StandardCharsets.ISO_8859_1);
        assumeTrue(name.length <= end - start + FILE.length(), "no room for the name");
        System.arraycopy(name, 0, library, start, name.length);
        Path copy = Files.write(directory.resolve("libfabric.so.1"), library);
        Files.writeString(file, line + "\n");
        return ChildJvm.of(main, arguments).flags("-Djfabric.library=" + copy).run();
    }

    @Test
    void leavesOutProviders() throws IOException {
        ChildJvm.Result result = run(LeftOutExplained.class, "FI_PROVIDER=udp", "-", "tcp");
        assertThat(result.output()).contains("tcp: provider \"tcp\" is in this libfabric, but FI_PROVIDER=\"udp\" in "
                + "libfabric.conf leaves it out", "all: found");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void putsHooksBeforeProviders() throws IOException {
        ChildJvm.Result result = run(Hooked.class, "FI_HOOK=noop");
        assertThat(result.output()).contains("no atomics", "no parameter twice");
        assertThat(result.exitCode()).isZero();
    }

    /** With a hook the question would crash. */
    static final class Hooked {
        private Hooked() {
        }

        public static void main(String[] arguments) {
            try (Pair pair = Pair.open(Providers.UDP)) {
                long most = pair.a.endpoint.atomics().maxCount(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM);
                System.out.println(most == 0 ? "no atomics" : "atomics");
            }
            // libfabric 1.20 has those of device memory twice by itself
            List<String> names = Fabric.parameters().stream().map(Parameter::name)
                    .filter(name -> !name.startsWith("FI_HMEM")).toList();
            System.out.println(Set.copyOf(names).size() == names.size() ? "no parameter twice" : "a parameter twice");
        }
    }

    /** While jfabric has the library look for variables, which makes its list longer. */
    @Test
    void parametersAreReadMeanwhile() {
        ChildJvm.Result result = ChildJvm.of(Reading.class).run();
        assertThat(result.output()).contains("survived");
        assertThat(result.exitCode()).isZero();
    }

    /** Parameters are listed while others open their first nodes. */
    static final class Reading {
        private Reading() {
        }

        public static void main(String[] arguments) throws InterruptedException {
            // psm3 changes the environment, which the C library lets nobody read meanwhile
            Stream<Providers.Choice> others = Providers.rdm().filter(choice -> !choice.provider().equals("psm3"));
            Meanwhile.reading(Fabric::parameters, () -> others.filter(Providers.Choice::isOffered).forEach(choice -> {
                try (Hints hints = choice.hints(); Node node = Node.open(hints)) {
                    node.allocate(1);
                }
            }));
        }
    }

    @Test
    void linksProviders() throws IOException {
        LnxTest.assumeLnx(true);
        ChildJvm.Result result = run(LnxTest.OfNothing.class, "FI_LNX_PROV_LINKS=:");
        assertThat(result.output()).contains("done");
        assertThat(result.exitCode()).isZero();
        result = run(LnxTest.Whole.class, "FI_LNX_PROV_LINKS=shm+tcp:lo");
        assertThat(result.output()).contains("done");
        assertThat(result.exitCode()).isZero();
    }
}
