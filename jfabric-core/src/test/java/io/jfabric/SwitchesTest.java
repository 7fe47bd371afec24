// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of switches in docs/troubleshooting.md names those that code and scripts read, and no others. */
class SwitchesTest {
    /** The name where it is read, or as a constant. */
    private static final Pattern JAVA = Pattern.compile(
            "(?:get(?:Property|Long)\\(|Setting\\.\\w+\\(|String \\w+ = )\"(jfabric(?:\\.[a-z]\\w*)+)\""
                    + "|\"(JFABRIC_\\w+)\"");
    private static final Pattern SCRIPT = Pattern.compile("\\$\\{(JFABRIC_\\w+):[-+]");
    private static final Pattern NAME = Pattern.compile("`((?:jfabric\\.|JFABRIC_)\\w[\\w.]*)`");
    /** What scripts and programs tell their own children, and copies of jfabric in a process each other. */
    private static final Set<String> PRIVATE = Set.of("JFABRIC_BUILD_LOCKED", "jfabric.launch.locale",
            "jfabric.signals");

    @Test
    void theTableIsComplete() throws IOException {
        Set<String> read = new TreeSet<>();
        for (String module : Set.of("core", "rdmacm", "launch", "testkit")) {
            find(JAVA, "jfabric-" + module + "/src/main/java", read);
        }
        find(SCRIPT, "scripts", read);
        read.removeAll(PRIVATE);
        String text = Docs.text(Docs.ROOT.resolve("docs/troubleshooting.md"));
        Set<String> told = new TreeSet<>();
        text.substring(text.indexOf("## All switches")).lines().filter(line -> line.startsWith("| `"))
                .forEach(row -> names(NAME, row.substring(0, row.indexOf('|', 1)), told));
        assertThat(told).isEqualTo(read);
    }

    private static void find(Pattern pattern, String under, Set<String> found) throws IOException {
        try (Stream<Path> files = Files.walk(Docs.ROOT.resolve(under))) {
            files.filter(Files::isRegularFile).forEach(file -> names(pattern, Docs.text(file), found));
        }
    }

    private static void names(Pattern pattern, String text, Set<String> found) {
        pattern.matcher(text).results().forEach(m -> found.add(m.group(1) != null ? m.group(1) : m.group(2)));
    }
}
