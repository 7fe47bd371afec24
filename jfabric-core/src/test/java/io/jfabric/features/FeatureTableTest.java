// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of features in docs/providers.md is that of docs/providers.csv, which scripts/try-features writes.
 * {@code scripts/test -Dtest=FeatureTableTest -Djfabric.update=true} writes the table anew.
 */
class FeatureTableTest {
    private static final Path PAGE = Docs.ROOT.resolve("docs/providers.md");
    private static final Path DATA = Docs.ROOT.resolve("docs/providers.csv");
    private static final String BEGIN = "<!-- features: made from providers.csv, see FeatureTableTest -->\n";
    private static final String END = "<!-- end of features -->\n";

    /** Provider and type, then feature, then library with its result. */
    private static Map<String, Map<Feature, Map<String, Result>>> data(List<String> lines) {
        Map<String, Map<Feature, Map<String, Result>>> data = new LinkedHashMap<>();
        for (String line : lines) {
            if (!line.startsWith("#")) {
                String[] cells = line.split(",");
                data.computeIfAbsent("`" + cells[1] + "` " + cells[2], key -> new EnumMap<>(Feature.class))
                        .computeIfAbsent(Feature.valueOf(cells[3]), key -> new LinkedHashMap<>())
                        .put(cells[0], Result.of(cells[4]));
            }
        }
        return data;
    }

    static String table(List<String> lines) {
        Map<String, Map<Feature, Map<String, Result>>> data = data(lines);
        StringBuilder table = new StringBuilder();
        row(table, "", List.copyOf(data.keySet()));
        table.append("|---".repeat(data.size() + 1)).append("|\n");
        row(table, "*libfabric*", data.values().stream()
                .map(features -> String.join(", ", features.get(Feature.SMALL_MESSAGES).keySet())).toList());
        for (Feature feature : Feature.values()) {
            List<String> cells = new ArrayList<>();
            data.values().forEach(features -> cells.add(cell(features.getOrDefault(feature, Map.of()))));
            row(table, feature.title(), cells);
        }
        return table.toString();
    }

    private static void row(StringBuilder table, String head, List<String> cells) {
        table.append("| ").append(head).append(" | ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** One word where all libraries agree. */
    private static String cell(Map<String, Result> results) {
        return results.values().stream().distinct().count() <= 1
                ? results.values().stream().findFirst().map(Result::text).orElse("")
                : results.entrySet().stream().map(each -> each.getKey() + ": " + each.getValue().text())
                        .collect(Collectors.joining("; "));
    }

    @Test
    void theDocumentHasTheTable() throws IOException {
        String page = Files.readString(PAGE);
        String table = table(Files.readAllLines(DATA));
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        assertThat(begin).as("where the table begins in %s", PAGE).isNotNegative();
        assertThat(end).as("where it ends").isGreaterThan(begin);
        if (Boolean.getBoolean("jfabric.update")) {
            Files.writeString(PAGE, page.substring(0, begin + BEGIN.length()) + table + page.substring(end));
            return;
        }
        assertThat(page.substring(begin + BEGIN.length(), end)).isEqualTo(table);
    }

    @Test
    void librariesThatDifferAreToldApart() {
        assertThat(table(List.of("# comment", "1.17,shm,RDM,SMALL_MESSAGES,yes", "2.1,shm,RDM,SMALL_MESSAGES,yes",
                "1.17,shm,RDM,PEEK,-", "2.1,shm,RDM,PEEK,yes")))
                .contains("| *libfabric* | 1.17, 2.1 |", "| messages to 64 bytes | yes |",
                        "| peek | 1.17: -; 2.1: yes |", "| atomics |  |");
    }
}
