// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Contract;
import io.jfabric.testing.Docs;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documentation refers to exists: files, headings, scripts, Java names and the version. */
class DocsLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|mailto:)([^)#\\s]*)(#[^)\\s]*)?\\)");
    private static final Pattern SCRIPT = Pattern.compile("(?<![\\w/.-])scripts/[\\w-]+(?:/[\\w.-]*\\w)?");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern TABLE_ROW = Pattern.compile("^\\|([^|]*)\\|([^|]*)\\|.*$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`((?!FI_)[A-Z]\\w*(?:\\.\\w+)*)`");
    private static final Pattern MEMBER = Pattern.compile("`(([A-Z]\\w*)(?:\\.\\w+)+)");
    private static final Pattern VERSION = Pattern.compile(
            "<artifactId>jfabric-(?:core|parent)</artifactId>\\s*<version>([^<]*)</version>");

    @Test
    void everyRelativeLinkLeadsSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path file : Docs.files()) {
            for (Matcher m = LINK.matcher(Docs.text(file)); m.find();) {
                Path target = m.group(1).isEmpty() ? file : file.resolveSibling(m.group(1)).normalize();
                String anchor = m.group(2);
                if (!Files.exists(target) || anchor != null && !anchors(target).contains(anchor)) {
                    broken.add(Docs.ROOT.relativize(file) + " -> " + m.group());
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    // As GitHub makes them: lower case, hyphens for spaces, other punctuation dropped
    private static List<String> anchors(Path file) {
        return HEADING.matcher(Docs.text(file)).results()
                .map(m -> '#' + m.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .toList();
    }

    @Test
    void everyScriptExists() {
        List<String> missing = new ArrayList<>();
        for (Path file : Docs.files()) {
            for (Matcher m = SCRIPT.matcher(Docs.text(file)); m.find();) {
                if (!Files.exists(Docs.ROOT.resolve(m.group()))) {
                    missing.add(Docs.ROOT.relativize(file) + " -> " + m.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyJavaNameInTheConceptsExists() {
        List<String> unknown = new ArrayList<>();
        int found = 0;
        String concepts = Docs.text(Docs.ROOT.resolve("docs/concepts.md"));
        for (Matcher row = TABLE_ROW.matcher(concepts); row.find();) {
            for (Matcher m = NAME.matcher(row.group(2)); m.find();) {
                if (exists(m.group(1))) {
                    found++;
                } else {
                    unknown.add(row.group(1).strip() + " -> " + m.group(1));
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(found).isGreaterThan(100);
    }

    @Test
    void everyMemberOfOurTypesExists() {
        List<String> unknown = new ArrayList<>();
        int found = 0;
        for (Path file : Docs.files()) {
            if (file.endsWith("fuzz-coverage.md")) {
                // names of calls, some of them constructors, as they were when it was written
                continue;
            }
            for (Matcher m = MEMBER.matcher(Docs.text(file)); m.find();) {
                boolean ours = Contract.find(m.group(2)).isPresent();
                if (ours && exists(m.group(1))) {
                    found++;
                } else if (ours) {
                    unknown.add(Docs.ROOT.relativize(file) + " -> " + m.group(1));
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(found).isGreaterThan(100);
    }

    private static boolean exists(String name) {
        String[] parts = name.split("\\.");
        Class<?> type = Contract.find(parts[0]).orElse(null);
        for (int i = 1; i < parts.length && type != null; i++) {
            if (i == parts.length - 1 && hasMember(type, parts[i])) {
                return true;
            }
            type = nested(type, parts[i]);
        }
        return type != null;
    }

    private static boolean hasMember(Class<?> type, String name) {
        return Stream.concat(Arrays.stream(type.getMethods()).map(Method::getName),
                Arrays.stream(type.getFields()).map(Field::getName)).anyMatch(name::equals);
    }

    private static Class<?> nested(Class<?> type, String name) {
        return Arrays.stream(type.getClasses()).filter(c -> c.getSimpleName().equals(name)).findFirst().orElse(null);
    }

    @Test
    void theDependencyHasTheVersionOfThisBuild() {
        Matcher pom = VERSION.matcher(Docs.text(Docs.ROOT.resolve("pom.xml")));
        assertThat(pom.find()).isTrue();
        for (String file : List.of("README.md", "docs/getting-started.md")) {
            Matcher shown = VERSION.matcher(Docs.text(Docs.ROOT.resolve(file)));
            assertThat(shown.find()).isTrue();
            assertThat(shown.group(1)).as(file).isEqualTo(pom.group(1));
        }
    }
}
