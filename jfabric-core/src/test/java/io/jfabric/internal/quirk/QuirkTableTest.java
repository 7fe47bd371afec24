// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tables in docs/quirks.md are those of the code. {@code scripts/test -Dtest=QuirkTableTest -Djfabric.update=true}
 * writes them anew.
 */
class QuirkTableTest {
    private static final Path PAGE = Docs.ROOT.resolve("docs/quirks.md");
    private static final String BEGIN = "<!-- quirks: made from the code, see QuirkTableTest -->\n";
    private static final String END = "<!-- end of quirks -->\n";
    private static final Pattern ASKED = Pattern.compile("Quirk\\.([A-Z0-9_]+)");
    /** Those that most programs use come first. */
    private static final List<String> USUAL = List.of("shm", "tcp", "net", "ofi_rxm", "udp", "ofi_rxd", "sockets",
            "verbs", "efa", "psm3", "sm2", "lnx");
    private static final String EVERY = "every provider";

    private static Stream<TableRow> rows() {
        return Stream.concat(Arrays.stream(Quirk.values()).map(Quirk::row),
                Arrays.stream(Fault.values()).map(Fault::row));
    }

    /** For each provider what concerns it, and first what is left to the program. */
    private static String tables() {
        Map<String, List<TableRow>> byProvider = new LinkedHashMap<>();
        USUAL.forEach(provider -> byProvider.put(provider, new ArrayList<>()));
        spelledOut().forEach(row -> (row.providers().isEmpty() ? List.of(EVERY) : row.providers())
                .forEach(provider -> byProvider.computeIfAbsent(provider, any -> new ArrayList<>()).add(row)));
        StringBuilder text = new StringBuilder();
        byProvider.forEach((provider, rows) -> {
            text.append("\n## ").append(provider).append("\n");
            table(text, "What programs have to do", rows, QuirkTableTest::isLeftToPrograms);
            table(text, "What jfabric does", rows, row -> !isLeftToPrograms(row));
        });
        return text.append("\n").toString();
    }

    private static boolean isLeftToPrograms(TableRow row) {
        return row.answer().contains("docs:");
    }

    private static void table(StringBuilder text, String answers, List<TableRow> rows, Predicate<TableRow> which) {
        if (rows.stream().anyMatch(which)) {
            text.append("\n| Releases | What happens | ").append(answers)
                    .append(" | Where it comes from |\n|---|---|---|---|\n");
            rows.stream().filter(which).forEach(row -> text.append("| ").append(String.join(" | ",
                    row.releases().toString(), row.symptom(), adviceFirst(row.answer()), row.cause()))
                    .append(" |\n"));
        }
    }

    private static String adviceFirst(String answer) {
        int advice = answer.indexOf("docs: ");
        return advice < 0 ? answer : answer.substring(advice + "docs: ".length())
                + (advice == 0 ? "" : " (jfabric: " + answer.substring(0, advice).replaceFirst("[;:,]? $", "") + ")");
    }

    /** Rows lean on the one before, which may be another provider's. */
    private static List<TableRow> spelledOut() {
        List<TableRow> spelled = new ArrayList<>();
        rows().forEach(row -> {
            TableRow last = spelled.isEmpty() ? row : spelled.getLast();
            spelled.add(new TableRow(row.providers(), row.releases(), spelled(row.symptom(), last.symptom()),
                    spelled(row.cause(), last.cause()), spelled(row.answer(), last.answer()), row.test()));
        });
        return spelled;
    }

    /** "as above", which may follow the name of a function. */
    private static String spelled(String text, String last) {
        if (text.endsWith(": as above")) {
            return text.substring(0, text.lastIndexOf(": ")) + last.substring(last.indexOf(": "));
        }
        return text.equals("as above") ? last : text;
    }

    @Test
    void theDocumentHasTheTables() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        assertThat(begin).as("where the tables begin in %s", PAGE).isNotNegative();
        assertThat(end).as("where they end").isGreaterThan(begin);
        if (Boolean.getBoolean("jfabric.update")) {
            Files.writeString(PAGE, page.substring(0, begin + BEGIN.length()) + tables() + page.substring(end));
            return;
        }
        assertThat(page.substring(begin + BEGIN.length(), end)).isEqualTo(tables());
    }

    @Test
    void everyQuirkHasItsTest() throws IOException {
        List<String> tests;
        try (Stream<Path> files = Files.walk(Docs.ROOT.resolve("jfabric-core/src/test/java"))) {
            tests = files.map(file -> file.getFileName().toString()).toList();
        }
        assertThat(rows()).allSatisfy(row -> assertThat(tests).as(row.symptom()).contains(row.test() + ".java"));
    }

    /** Others are faults. */
    @Test
    void somebodyAsksForEveryQuirk() throws IOException {
        Set<String> asked = new HashSet<>();
        try (Stream<Path> files = Files.walk(Docs.ROOT.resolve("jfabric-core/src/main"))) {
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
