// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Contract;
import io.jfabric.testing.Docs;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/api-coverage.md claims of libfabric's functions: that they are all there, and how many have run. */
class ApiCoverageTest {
    private static final Set<String> PROVIDER_SIDE = Set.of("fi_provider.3", "fi_peer.3");
    private static final double WITH_METHOD = 95;
    private static final double RUN = 85;
    private static final Pattern ROW = Pattern.compile(
            "^\\|(?<page>[^|]*)\\| `(?<function>\\w+)` \\|(?<method>[^|]*)\\|(?<test>[^|]*)\\|(?<note>[^|]*)\\|$",
            Pattern.MULTILINE);
    private static final Pattern NUMBERS = Pattern.compile("Application-callable functions: (\\d+)\\. "
            + "With a Java method: (\\d+) \\((\\S+) %\\)\\. Run for real by a test: (\\d+) \\((\\S+) %\\)\\.");

    private static final String TABLE = Docs.text(Docs.ROOT.resolve("docs/api-coverage.md"));

    /** Empty cells are empty strings. */
    private record Row(String page, String function, String method, String test, String note) {
        boolean isCallable() {
            return !PROVIDER_SIDE.contains(page);
        }
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Matcher m = ROW.matcher(TABLE); m.find();) {
            rows.add(new Row(m.group("page").strip(), m.group("function"), name(m.group("method")),
                    name(m.group("test")), m.group("note").strip()));
        }
        return rows;
    }

    private static String name(String cell) {
        return cell.strip().replace("`", "");
    }

    @Test
    void everyFunctionHasItsRow() throws IOException {
        List<String> functions;
        try (InputStream in = ApiCoverageTest.class.getResourceAsStream("/libfabric-functions.csv")) {
            functions = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1)
                    .map(line -> line.substring(0, line.lastIndexOf(','))).toList();
        }
        assertThat(functions).hasSizeGreaterThan(200);
        assertThat(rows().stream().map(row -> row.page() + ',' + row.function()))
                .containsExactlyInAnyOrderElementsOf(functions);
    }

    @Test
    void everyRowSaysWhereItRanOrWhyNot() {
        assertThat(rows()).allSatisfy(row -> {
            assertThat(row.note()).as("providers or reason of %s", row.function()).isNotEmpty();
            if (!row.test().isEmpty()) {
                assertThat(row.method()).as("what the test of %s calls", row.function()).isNotEmpty();
            }
        });
    }

    @Test
    void everyMethodExists() {
        assertThat(rows().stream().filter(row -> !row.method().isEmpty() && !isMethod(row.method())))
                .as("methods of exported packages").isEmpty();
        assertThat(isMethod("Endpoint.noSuchMethod")).isFalse();
        assertThat(isMethod("NoSuchClass.close")).isFalse();
    }

    private static boolean isMethod(String name) {
        int dot = name.lastIndexOf('.');
        return Contract.find(name.substring(0, dot)).stream().flatMap(type -> Arrays.stream(type.getMethods()))
                .map(Method::getName).anyMatch(name.substring(dot + 1)::equals);
    }

    /** A class with tests in it, not a helper. */
    @Test
    void everyTestExists() {
        for (Row row : rows()) {
            if (!row.test().isEmpty()) {
                assertThat(hasTests(row.test())).as("%s, which %s ran in", row.test(), row.function()).isTrue();
            }
        }
        assertThat(hasTests("NoSuchTest")).isFalse();
        assertThat(hasTests("testing.Pair")).isFalse();
    }

    private static boolean hasTests(String name) {
        try {
            return Arrays.stream(Class.forName("io.jfabric." + name).getDeclaredMethods())
                    .flatMap(method -> Arrays.stream(method.getAnnotations()))
                    .anyMatch(annotation -> annotation.annotationType().getSimpleName().endsWith("Test"));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Test
    void theNumbersAreRightAndHighEnough() {
        Matcher printed = NUMBERS.matcher(TABLE);
        assertThat(printed.find()).as("numbers at the top of the file").isTrue();
        List<Row> callable = rows().stream().filter(Row::isCallable).toList();
        long methods = callable.stream().filter(row -> !row.method().isEmpty()).count();
        long run = callable.stream().filter(row -> !row.test().isEmpty()).count();
        double withMethod = 100.0 * methods / callable.size();
        double ran = 100.0 * run / callable.size();
        assertThat(List.of(printed.group(1), printed.group(2), printed.group(3), printed.group(4), printed.group(5)))
                .containsExactly(String.valueOf(callable.size()), String.valueOf(methods), oneDigit(withMethod),
                        String.valueOf(run), oneDigit(ran));
        assertThat(withMethod).isGreaterThanOrEqualTo(WITH_METHOD);
        assertThat(ran).isGreaterThanOrEqualTo(RUN);
    }

    private static String oneDigit(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
