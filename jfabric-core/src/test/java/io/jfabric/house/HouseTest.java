// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.jfabric.Fabric;
import io.jfabric.testing.Docs;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules 1 to 4 of docs/architecture.md, and one of code; each is also shown to fail where it is broken. */
class HouseTest {
    private static final Path SOURCES = Docs.ROOT.resolve("jfabric-core/src/main/java/io/jfabric");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern PROVIDER = Pattern.compile(
            "\"(?:[^\"\\n]*[^/\\w\"])?(shm|sm2|tcp|udp|net|sockets|verbs|efa|psm2|psm3|"
            + "cxi|opx|ucx|lnx|ofi_rxm|ofi_rxd|ofi_mrail|rxm|rxd)\\b[^\"\\n]*\"");

    /** Lambdas, method references, text that is put together, iterators, objects. */
    private static final Pattern MADE = Pattern.compile(
            "->|::|\" \\+|\\+ \"|\\bnew |\\bfor \\([^;)]*:|forEach|stream\\(");

    private static final String MODULE = "src/main/java/module-info.java";
    private static final Pattern EXPORTED = Pattern.compile("exports ([\\w.]+);");
    private static final Pattern CHECKED = Pattern.compile("-Xdoclint/package:([^<]+)<");

    private static final JavaClasses ALL = new ClassFileImporter()
            .importPath(Docs.ROOT.resolve("jfabric-core/target/classes"));
    private static final House JFABRIC = new House("io.jfabric", ALL);
    private static final House BROKEN = new House("io.jfabric.house.broken",
            new ClassFileImporter().importPath(Docs.ROOT.resolve(
                    "jfabric-core/target/test-classes/io/jfabric/house/broken")));

    @Test
    void everyPackageHasItsFloor() {
        assertThat(JFABRIC.homeless().stream().filter(p -> !p.startsWith("io.jfabric.bindings"))).isEmpty();
        assertThat(BROKEN.homeless()).containsExactly("io.jfabric.house.broken.internal.attic");
    }

    @Test
    void nobodyKnowsWhoIsAbove() {
        assertThat(JFABRIC.upward()).isEmpty();
        assertThat(BROKEN.upward()).singleElement().asString().contains("internal.post.Basement")
                .contains("internal.endpoint.Roof");
    }

    @Test
    void contractsKnowCodeByTheirDoorsOnly() {
        assertThat(JFABRIC.doors()).isEmpty();
        assertThat(BROKEN.doors()).hasSize(2).anyMatch(s -> s.contains("shows")).anyMatch(s -> s.contains("leak"))
                .noneMatch(s -> s.contains("open("));
    }

    @Test
    void onlyTheInlineLayerCallsC() {
        assertThat(JFABRIC.downcalls()).isEmpty();
        assertThat(BROKEN.downcalls()).isNotEmpty().allMatch(s -> s.contains("Roof"));
    }

    @Test
    void packagesHaveNoCycles() {
        ArchRule free = slices().matching("io.jfabric.internal.(**)").should().beFreeOfCycles();
        free.check(ALL);
        ArchRule broken = slices().matching("io.jfabric.house.broken.internal.(**)").should().beFreeOfCycles();
        assertThat(broken.evaluate(BROKEN.classes()).hasViolation()).isTrue();
    }

    /** {@code scripts/test -Dtest=HouseTest -Djfabric.update=true} draws it anew. */
    @Test
    void thePictureIsOfThisHouse() throws IOException {
        Path picture = Docs.ROOT.resolve("docs/architecture.svg");
        String drawn = new Picture(JFABRIC, SOURCES).draw();
        if (Boolean.getBoolean("jfabric.update")) {
            Files.writeString(picture, drawn);
        }
        assertThat(picture).hasContent(drawn);
    }

    @Test
    void codeIsNotExported() {
        ModuleDescriptor module = Fabric.class.getModule().getDescriptor();
        assertThat(module.exports().stream().map(ModuleDescriptor.Exports::source))
                .as("exported").contains("io.jfabric").noneMatch(name -> name.contains("internal"));
    }

    /** Of every module that says what it exports; to some modules only is not for users. */
    @Test
    void documentationOfWhatIsExportedIsChecked() throws IOException {
        Set<String> modules = new TreeSet<>();
        try (Stream<Path> roots = Files.list(Docs.ROOT)) {
            for (Path root : roots.filter(each -> Files.exists(each.resolve(MODULE))).toList()) {
                Set<String> exported = found(EXPORTED, root.resolve(MODULE));
                Set<String> checked = new TreeSet<>();
                found(CHECKED, root.resolve("pom.xml")).forEach(list -> checked.addAll(Set.of(list.split(","))));
                assertThat(checked).as(root.getFileName().toString()).isEqualTo(exported);
                modules.addAll(exported);
            }
        }
        assertThat(modules).contains("io.jfabric.async", "io.jfabric.launch", "io.jfabric.rdmacm");
    }

    /**
     * What is made where it stands, such as a lambda, is made the first time that it is needed: perhaps when there is
     * no memory left. Then nothing else in the block happens.
     */
    @Test
    void whatMustHappenAfterAFailureNeedsNothingNew() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                if (makesAtEnd(Files.readString(file))) {
                    found.add(SOURCES.relativize(file).toString());
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(makesAtEnd("try { } finally { all.forEach(one -> one.end()); }")).isTrue();
        assertThat(makesAtEnd("try { run(() -> 1); } finally { if (a) { a.end(); } } run(() -> 1);")).isFalse();
    }

    private static boolean makesAtEnd(String source) {
        String code = COMMENT.matcher(source).replaceAll("");
        for (int from = code.indexOf("finally {"); from >= 0; from = code.indexOf("finally {", from + 1)) {
            int end = code.indexOf('{', from) + 1;
            for (int depth = 1; depth > 0; end++) {
                depth += code.charAt(end) == '{' ? 1 : code.charAt(end) == '}' ? -1 : 0;
            }
            if (MADE.matcher(code.substring(from, end)).find()) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> found(Pattern what, Path file) throws IOException {
        return what.matcher(Files.readString(file)).results().map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void providersAreNamedInOnePackage() throws IOException {
        assertThat(providersNamed(SOURCES)).isEmpty();
        assertThat(namesProvider("String s = \"tcp;ofi_rxm\"; // shm")).isTrue();
        assertThat(namesProvider("/* \"shm\" */ String s = \"the network\";")).isFalse();
    }

    private static Set<String> providersNamed(Path sources) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")
                    && !f.toString().contains("/internal/quirk/")).toList()) {
                if (namesProvider(Files.readString(file))) {
                    found.add(sources.relativize(file).toString());
                }
            }
        }
        return found;
    }

    private static boolean namesProvider(String source) {
        Matcher literal = PROVIDER.matcher(COMMENT.matcher(source).replaceAll(""));
        return literal.find();
    }
}
