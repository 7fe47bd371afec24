// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A libfabric that comes in a jar of {@code scripts/bundle-native}, made here from the library that the tests use. */
class BundledLibraryTest {
    private static final String RESOURCES = "META-INF/jfabric/linux-"
            + System.getProperty("os.arch").replace("amd64", "x86_64") + "/";
    /** Hides files by mounting an empty one over each, where only the command after "--" sees it. */
    private static final String HIDE = "while [ \"$1\" != -- ]; do mount --bind /dev/null \"$1\" || exit 9; shift; "
            + "done; shift; exec \"$@\"";

    @TempDir
    static Path shared;
    private static Path jar;
    private static List<String> names;

    @TempDir
    Path cache;

    /** Moves bytes over shm and prints where the libraries in the arguments are mapped from. */
    static final class Main {
        private Main() {
        }

        public static void main(String[] args) throws IOException {
            if (args.length > 0) {
                Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[] {unescaped(args[0])}));
            }
            System.out.println("available " + Fabric.isAvailable());
            try {
                System.out.println("loaded " + Fabric.libraryPath());
            } catch (UnsatisfiedLinkError e) {
                System.out.println("thrown " + e.getMessage());
                return;
            }
            try (Pair pair = Pair.open(Providers.SHM); Arena arena = Arena.ofConfined()) {
                MemorySegment out = arena.allocate(4096).fill((byte) 7);
                MemorySegment in = arena.allocate(4096);
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
                pair.await(pair.a, 2);
                pair.await(pair.b, 1);
                System.out.println("moved " + (in.mismatch(out) == -1));
            }
            mapped().forEach(file -> System.out.println("mapped " + file));
        }
    }

    // as older frameworks make them
    @SuppressWarnings("deprecation")
    private static URL unescaped(String file) throws IOException {
        return new URL("file:" + file);
    }

    private static List<Path> mapped() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream().map(line -> line.split("\\s+", 6))
                .filter(parts -> parts.length == 6 && parts[5].startsWith("/") && parts[5].contains(".so"))
                .map(parts -> Path.of(parts[5])).distinct().toList();
    }

    private static boolean isOneOf(Path file) {
        return names.stream().anyMatch(name -> file.getFileName().toString().startsWith(name));
    }

    @BeforeAll
    static void bundle() throws Exception {
        Fabric.version();
        Path library = mapped().stream().filter(file -> file.getFileName().toString().startsWith("libfabric"))
                .findFirst().orElseThrow();
        jar = shared.resolve("bundle.jar");
        Path log = shared.resolve("log");
        ProcessBuilder builder = new ProcessBuilder("../scripts/bundle-native", "--library", library.toString(),
                jar.toString()).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process script = builder.start();
        assertThat(script.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(script.exitValue()).as(Files.readString(log)).isZero();
        try (FileSystem zip = FileSystems.newFileSystem(jar)) {
            names = Files.readAllLines(zip.getPath(RESOURCES + "index")).stream().map(l -> l.substring(66)).toList();
        }
        assertThat(names).endsWith("libfabric.so.1").doesNotContain("libc.so.6");
    }

    private ChildJvm.Builder child(Path bundle) {
        return ChildJvm.of(Main.class).library(bundle).flags("-Djfabric.cache=" + cache);
    }

    private ChildJvm.Builder named() {
        return child(jar).flags("-Djfabric.library=bundled");
    }

    private static String run(ChildJvm.Builder child) {
        ChildJvm.Result result = child.run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    private Path extracted() throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            return files.reduce((a, b) -> {
                throw new AssertionError(a + " and " + b);
            }).orElseThrow();
        }
    }

    private void checkBundled(String output) throws IOException {
        Path directory = extracted().toRealPath();
        assertThat(output).contains("loaded " + directory.resolve("libfabric.so.1"), "moved true");
        for (String name : names) {
            assertThat(output).contains("mapped " + directory.resolve(name));
        }
        assertThat(output.lines().filter(line -> line.startsWith("mapped ")).map(line -> Path.of(line.substring(7)))
                .filter(BundledLibraryTest::isOneOf)).hasSameSizeAs(names);
    }

    @Test
    void bytesMoveOnAMachineWithoutLibfabric() throws Exception {
        List<String> hidden = new ArrayList<>();
        for (Path file : mapped()) {
            if (isOneOf(file)) {
                hidden.add(file.toString());
            }
        }
        for (String dir : List.of("/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                "/usr/lib64", "/usr/lib")) {
            Path file = Path.of(dir, "libfabric.so.1");
            if (Files.exists(file) && !hidden.contains(file.toRealPath().toString())) {
                hidden.add(file.toRealPath().toString());
            }
        }
        List<String> prefix = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", HIDE, "sh"));
        prefix.addAll(hidden);
        prefix.add("--");
        assumeMounts(prefix);
        String[] hiding = prefix.toArray(String[]::new);
        assertThat(run(ChildJvm.of(Main.class).prefix(hiding))).contains("thrown libfabric was not found",
                "scripts/bundle-native", RESOURCES + "index: not on the class path");
        checkBundled(run(child(jar).prefix(hiding)));
    }

    private static void assumeMounts(List<String> prefix) throws Exception {
        List<String> attempt = new ArrayList<>(prefix);
        attempt.add("true");
        assumeTrue(new ProcessBuilder(attempt).start().waitFor() == 0, "mount namespaces are not allowed here");
    }

    /** As containers have them: read-only, or for data alone, or small. */
    @ParameterizedTest
    @CsvSource({"ro, Read-only file system", "noexec, (noexec)", "size=64k, No space left"})
    void aPlaceThatCannotBeUsedIsToldApart(String option, String why) throws Exception {
        List<String> prefix = List.of("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o " + option + " none '" + cache
                + "' && exec \"$@\"", "sh");
        assumeMounts(prefix);
        assertThat(run(named().prefix(prefix.toArray(String[]::new)))).contains("thrown ", cache.toString(), why,
                "; name another place with -Djfabric.cache=DIRECTORY").doesNotContain("loaded");
    }

    @Test
    void aTemporaryDirectoryThatIsNotThereIsToldOf() {
        assertThat(run(named().flags("-Djfabric.cache=", "-Duser.home=?", "-Djava.io.tmpdir=" + cache + "/none")
                .environment("XDG_CACHE_HOME", ""))).contains(
                        cache + "/none cannot be written: NoSuchFileException; name another place with -D");
    }

    @Test
    void whatIsMadeIsPrivateWhateverTheUmaskIs() throws Exception {
        Path place = cache.resolve("a/b");
        String[] prefix = {"sh", "-c", "umask 0; exec \"$@\"", "sh"};
        assertThat(run(named().flags("-Djfabric.cache=" + place).prefix(prefix))).contains("moved true");
        assertThat(run(named().flags("-Djfabric.cache=").environment("XDG_CACHE_HOME", cache + "/user").prefix(prefix)))
                .contains("loaded " + cache.toRealPath() + "/user/jfabric-native-");
        for (String made : List.of("a", "a/b", "user")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache.resolve(made)))).as(made)
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void theSitesLibraryComesFirst() {
        assertThat(run(child(jar))).contains("loaded " + Fabric.libraryPath(), "moved true");
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void twoProcessesExtractAtOnce() throws Exception {
        try (ChildJvm one = named().start(); ChildJvm two = named().start()) {
            checkBundled(one.await().output());
            checkBundled(two.await().output());
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(extracted()))).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(extracted())) {
            assertThat(files.map(file -> file.getFileName().toString())).as("nothing temporary")
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }

    /** Which is no URI. */
    @Test
    void aPathMayHaveASpace() throws Exception {
        Path spaced = Files.createDirectory(shared.resolve("a directory")).resolve("bundle.jar");
        Files.copy(jar, spaced);
        checkBundled(run(ChildJvm.of(Main.class, spaced.toString()).flags("-Djfabric.cache=" + cache,
                "-Djfabric.library=bundled")));
    }

    @Test
    @Tag("long")
    void whatWasChangedIsRefused() throws Exception {
        checkBundled(run(named()));
        Path first = extracted().resolve(names.getFirst());
        byte[] bytes = Files.readAllBytes(first);
        bytes[bytes.length / 2] ^= 1;
        Files.write(first, bytes);
        assertThat(run(named())).contains("thrown libfabric was not found", first.getFileName()
                + " was changed after it was written", "delete ").doesNotContain("loaded");
    }

    @Test
    void aDamagedJarIsRefused() throws Exception {
        Path damaged = shared.resolve("damaged.jar");
        Files.copy(jar, damaged);
        try (FileSystem zip = FileSystems.newFileSystem(damaged)) {
            Files.writeString(zip.getPath(RESOURCES + "libfabric.so.1"), "damaged");
        }
        assertThat(run(child(damaged).flags("-Djfabric.library=bundled")))
                .contains("libfabric.so.1 is damaged", "make the jar again").doesNotContain("loaded");
        try (FileSystem zip = FileSystems.newFileSystem(damaged)) {
            Files.writeString(zip.getPath(RESOURCES + "index"), "0".repeat(64) + "  ../../evil.so\n");
        }
        assertThat(run(child(damaged).flags("-Djfabric.library=bundled")))
                .contains("../../evil.so\" is not a line of an index").doesNotContain("loaded");
    }

    @Test
    @Tag("long")
    void aDirectoryThatOthersCanWriteToIsRefused() throws Exception {
        checkBundled(run(named()));
        Files.setPosixFilePermissions(extracted(), PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(run(named())).contains("other users may write to " + extracted().toRealPath(), "jfabric.cache")
                .doesNotContain("loaded");
        Files.setPosixFilePermissions(extracted(), PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(run(named())).contains("other users may write to " + cache.toRealPath()).doesNotContain("loaded");
    }

    @Test
    @Tag("long")
    void aDirectoryOfSomebodyElseIsRefused() throws Exception {
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root gives files away");
        checkBundled(run(named()));
        Files.setAttribute(extracted(), "unix:uid", 12345);
        assertThat(run(named())).contains("belongs to user 12345, and this is user 0", "jfabric.cache")
                .doesNotContain("loaded");
    }
}
