// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What CONTRIBUTING.md says of deadlines: each test has one, and it is over before Maven ends the JVM. */
class DeadlinesTest {
    private static final Pattern OF_ALL = Pattern.compile("<forkedProcessTimeoutInSeconds>([0-9]+)<");
    private static final Pattern OF_A_TEST = Pattern.compile("@Timeout\\((?:value = )?([0-9_]+)[,)]");

    static Stream<Path> modules() throws IOException {
        return Files.list(Docs.ROOT).filter(module -> Files.isDirectory(module.resolve("src/test/java"))).sorted();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void eachTestEndsBeforeAllOfThem(Path module) throws IOException {
        assertThat(module.resolve("src/test/resources/junit-platform.properties")).content()
                .contains("junit.jupiter.execution.timeout.default=60 s");
        assertThat(OF_ALL.matcher(Docs.text(module.resolve("pom.xml"))).find()).isFalse();
        Matcher all = OF_ALL.matcher(Docs.text(Docs.ROOT.resolve("pom.xml")));
        assertThat(all.find()).isTrue();
        List<Path> tests;
        try (Stream<Path> files = Files.walk(module.resolve("src/test/java"))) {
            tests = files.filter(file -> file.toString().endsWith("Test.java")).toList();
        }
        assertThat(tests).isNotEmpty().allSatisfy(test -> assertThat(OF_A_TEST.matcher(Docs.text(test)).results())
                .allSatisfy(timeout -> assertThat(Integer.parseInt(timeout.group(1).replace("_", "")))
                        .isLessThan(Integer.parseInt(all.group(1)))));
    }
}
