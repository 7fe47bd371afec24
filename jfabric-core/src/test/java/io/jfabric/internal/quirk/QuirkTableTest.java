// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table in docs/providers.md is that of the code. {@code scripts/test -Dtest=QuirkTableTest -Djfabric.update=true}
 * writes it anew.
 */
class QuirkTableTest {
    private static final Path PAGE = Docs.ROOT.resolve("docs/providers.md");
    private static final String BEGIN = "<!-- quirks: made from the code, see QuirkTableTest -->\n";
    private static final String END = "<!-- end of quirks -->\n";
    private static final Pattern ASKED = Pattern.compile("Quirk\\.([A-Z0-9_]+)");

    private static String table() {
        return "| Provider | Releases | What happens | Where it comes from | What jfabric does |\n"
                + "|---|---|---|---|---|\n"
                + rows().map(QuirkTableTest::text).collect(Collectors.joining());
    }

    private static Stream<TableRow> rows() {
        return Stream.concat(Arrays.stream(Quirk.values()).map(Quirk::row),
                Arrays.stream(Fault.values()).map(Fault::row));
    }

    private static String text(TableRow row) {
        String providers = row.providers().isEmpty() ? "all"
                : row.providers().stream().map(p -> "`" + p + "`").collect(Collectors.joining(", "));
        return "| " + String.join(" | ", providers, row.releases().toString(), row.symptom(), row.cause(),
                row.answer()) + " |\n";
    }

    @Test
    void theDocumentHasTheTable() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        assertThat(begin).as("where the table begins in %s", PAGE).isNotNegative();
        assertThat(end).as("where it ends").isGreaterThan(begin);
        if (Boolean.getBoolean("jfabric.update")) {
            Files.writeString(PAGE, page.substring(0, begin + BEGIN.length()) + table() + page.substring(end));
            return;
        }
        assertThat(page.substring(begin + BEGIN.length(), end)).isEqualTo(table());
    }

    @Test
    void everyQuirkHasItsTest() throws IOException {
        List<String> tests;
        try (Stream<Path> files = Files.walk(Docs.ROOT.resolve("jfabric-core/src/test/java"))) {
            tests = files.map(file -> file.getFileName().toString()).toList();
        }
        assertThat(rows()).allSatisfy(row -> assertThat(tests).as(row.symptom()).contains(row.test() + ".java"));
    }

    @Test
    void somebodyAsksForEveryQuirk() throws IOException {
        Set<String> asked = new HashSet<>();
        try (Stream<Path> files = Files.walk(Docs.ROOT.resolve("jfabric-core/src"))) {
            for (Path file : (Iterable<Path>) files.filter(each -> each.toString().endsWith(".java"))::iterator) {
                ASKED.matcher(Files.readString(file)).results().forEach(found -> asked.add(found.group(1)));
            }
        }
        assertThat(Quirk.values()).extracting(Quirk::name).isSubsetOf(asked);
    }

    @Test
    void releasesSayWhatTheyInclude() {
        assertThat(Releases.ALL.include(1 << 16 | 17)).isTrue();
        assertThat(Releases.before("2.0").include(1 << 16 | 22)).isTrue();
        assertThat(Releases.before("2.0").include(2 << 16)).isFalse();
        assertThat(Releases.since("1.19").include(1 << 16 | 18)).isFalse();
        assertThat(Releases.since("1.19")).hasToString("since 1.19");
        assertThat(Releases.before("2.0")).hasToString("before 2.0");
        assertThat(Releases.ALL).hasToString("all");
    }

    @Test
    void aProviderHasTheQuirksOfItsParts() {
        Quirks rxm = Quirks.of("tcp;ofi_rxm", 1 << 16 | 17);
        assertThat(rxm.has(Quirk.CLOSE_NEEDS_VECTOR)).isTrue();
        assertThat(rxm.has(Quirk.NEEDS_QUEUES)).isTrue();
        assertThat(rxm.has(Quirk.FETCHES_GO_ALONE)).isFalse();
        assertThat(Quirks.of("tcp;ofi_rxm", 1 << 16 | 18).has(Quirk.CLOSE_NEEDS_VECTOR)).isFalse();
        assertThat(Quirks.of("unheard of", 2 << 16 | 1).has(Quirk.NEEDS_QUEUES)).isFalse();
    }
}
