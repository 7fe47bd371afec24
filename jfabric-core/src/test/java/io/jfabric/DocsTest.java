// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testing.Contract;
import io.jfabric.testing.Docs;
import io.jfabric.testing.Docs.Block;
import io.jfabric.testkit.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the documentation shows compiles, and its complete programs print what it says they print.
 *
 * <p>A complete program is a {@code java} block after a comment {@code <!-- program: Name.java ARGUMENTS -->}; several
 * processes are separated by {@code &}, and PORT is a free port. The next {@code text} block is the output of them
 * all. A block after {@code <!-- from: FILE -->} is a part of a test of another module. Any other {@code java} block is
 * compiled as the body of a method that finds the usual objects in fields.
 */
@Timeout(60)
class DocsTest {
    private static final String IMPORTS = Stream.concat(Contract.PACKAGES.stream(), Stream.of("java.lang.foreign",
            "io.jfabric.testkit")).map("import %s.*;\n"::formatted).collect(Collectors.joining());
    private static final String FIELDS = """
            import module java.base;
            @SuppressWarnings("unused")
            abstract class %s {
                Hints hints; FabricInfoList infos; FabricInfo info; Fabric fabric; Domain domain;
                AddressVector addresses; CompletionQueue queue; Endpoint endpoint; CompletionHandler handler;
                Arena arena; MemorySegment buffer; byte[] bytes; long peer; Address address; Node node; Peer friend;
                KeepAlive alive;
                void snippet() throws Exception {
            %s
                }
            }
            """;
    private static final Pattern SNIPPET = Pattern.compile("\\{@snippet :\\R(.*?)^ \\* \\}\\R \\*/?$",
            Pattern.MULTILINE | Pattern.DOTALL);
    private static final List<String> CHECKED = List.of("README.md", "docs/getting-started.md", "docs/concepts.md",
            "docs/providers.md", "docs/quirks.md", "docs/troubleshooting.md", "docs/architecture.md");

    @TempDir
    Path dir;

    @BeforeEach
    void libfabricIsThere() {
        assumeTrue(Fabric.isAvailable(), () -> "libfabric is not available: " + Fabric.unavailabilityCause());
    }

    private static Stream<Block> javaBlocks() {
        return CHECKED.stream().map(Docs.ROOT::resolve).map(Docs::blocks).flatMap(List::stream)
                .filter(block -> block.language().equals("java"));
    }

    /** The code in the overviews of the packages. */
    private static Stream<Block> packageSnippets() {
        return Contract.PACKAGES.stream().map(name -> Docs.ROOT.resolve(
                "jfabric-core/src/main/java/" + name.replace('.', '/') + "/package-info.java")).map(file -> {
                    Matcher snippet = SNIPPET.matcher(Docs.text(file));
                    assertThat(snippet.find()).as(file::toString).isTrue();
                    return new Block(file, 0, "java", null, null, snippet.group(1).replaceAll("(?m)^ \\* ?", ""));
                });
    }

    static Stream<Block> programs() {
        return javaBlocks().filter(block -> block.program() != null);
    }

    @Test
    void everySnippetCompiles() throws IOException {
        List<Path> sources = new ArrayList<>();
        List<Block> blocks = Stream.concat(javaBlocks().filter(block -> block.program() == null
                && block.source() == null), packageSnippets()).toList();
        for (Block block : blocks) {
            // a name that leads from javac's message to the place in the documentation
            String name = block.toString().replaceAll("\\W", "_");
            sources.add(Files.writeString(dir.resolve(name + ".java"),
                    IMPORTS + FIELDS.formatted(name, block.code())));
        }
        assertThat(sources).hasSizeGreaterThan(10);
        compile(sources);
    }

    /** Whoever changes that runs it. */
    @Test
    void whatIsFromATestIsStillThere() {
        List<Block> blocks = javaBlocks().filter(block -> block.source() != null).toList();
        assertThat(blocks).isNotEmpty();
        for (Block block : blocks) {
            assertThat(Docs.text(Docs.ROOT.resolve(block.source())).lines().map(String::strip)
                    .collect(Collectors.joining("\n"))).as(block::toString)
                    .contains(block.code().lines().map(String::strip).collect(Collectors.joining("\n")));
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aProgramPrintsWhatTheDocumentationSays(Block program) throws Exception {
        String[] runs = program.program().split("&");
        String file = runs[0].strip().split(" ")[0];
        compile(List.of(Files.writeString(dir.resolve(file), program.code())));
        int port = FreePort.choose();
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < runs.length; i++) {
                String[] words = runs[i].strip().replace("PORT", Integer.toString(port)).split(" ");
                processes.add(start(i, file.replace(".java", ""), List.of(words).subList(1, words.length)));
                if (i == 0 && runs.length > 1) {
                    awaitListener(port, processes.getFirst());
                }
            }
            List<String> printed = new ArrayList<>();
            for (int i = 0; i < processes.size(); i++) {
                boolean ended = processes.get(i).waitFor(30, TimeUnit.SECONDS);
                assertThat(ended).as(() -> "the program ends; it has printed " + output()).isTrue();
                assertThat(processes.get(i).exitValue()).as(this::output).isZero();
                printed.addAll(Files.readAllLines(dir.resolve("stdout" + i)));
            }
            assertThat(printed).containsExactlyInAnyOrderElementsOf(outputAfter(program).lines().toList());
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static String outputAfter(Block program) {
        return Docs.blocks(program.file()).stream()
                .filter(block -> block.line() > program.line() && block.language().equals("text"))
                .findFirst().orElseThrow(() -> new AssertionError("no output is shown for " + program)).code();
    }

    private void compile(List<Path> sources) {
        List<String> arguments = new ArrayList<>(List.of("-d", dir.toString(), "-cp", classPath(), "-Xlint:all"));
        sources.forEach(source -> arguments.add(source.toString()));
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        // not javax.tools: the module under test does not read java.compiler
        int exitCode = ToolProvider.findFirst("javac").orElseThrow()
                .run(out, out, arguments.toArray(String[]::new));
        assertThat(exitCode).as(messages::toString).isZero();
    }

    private Process start(int number, String main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSystemMemoryBarrier", "--enable-native-access=ALL-UNNAMED", "-Xmx256m",
                "-cp", dir + File.pathSeparator + classPath(), main));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectOutput(dir.resolve("stdout" + number).toFile())
                .redirectError(dir.resolve("stderr" + number).toFile())
                .start();
    }

    private String output() {
        try (Stream<Path> files = Files.list(dir)) {
            return files.filter(file -> file.getFileName().toString().startsWith("std")).sorted()
                    .map(file -> file.getFileName() + ":\n" + Docs.text(file)).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    // Tests run as a module, programs of users mostly on the class path.
    private static String classPath() {
        // the test kit is among the tests
        return Stream.concat(Stream.of("jdk.module.path", "java.class.path").map(System::getProperty),
                Stream.of(Docs.ROOT.resolve("jfabric-core/target/test-classes").toString()))
                .filter(path -> path != null && !path.isEmpty())
                .flatMap(path -> Arrays.stream(path.split(File.pathSeparator))).distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    // Connecting to find out would be the connection that the program waits for.
    private static void awaitListener(int port, Process server) throws Exception {
        String listening = "(?s).*:%04X \\S+ 0A .*".formatted(port);
        for (int i = 0; i < 300 && server.isAlive(); i++) {
            for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
                if (Files.exists(Path.of(table)) && Docs.text(Path.of(table)).matches(listening)) {
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        fail("the server does not listen on port " + port);
    }
}
