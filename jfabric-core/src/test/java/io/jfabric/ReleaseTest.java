// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maven Central takes no module without a jar of its sources and one of its javadoc. */
class ReleaseTest {
    private static final Path BOM = Docs.ROOT.resolve("jfabric-bom/pom.xml");

    static Stream<Path> modules() throws IOException {
        return Files.list(Docs.ROOT).map(module -> module.resolve("pom.xml")).filter(Files::exists).sorted();
    }

    @Test
    void aReleaseMakesJavadocJars() {
        assertThat(Docs.text(Docs.ROOT.resolve("pom.xml")).replaceAll("\\s+", ""))
                .containsPattern("<id>release</id>.*<artifactId>maven-javadoc-plugin</artifactId>.*<goal>jar</goal>");
    }

    @Test
    void theBomHasAllThatIsPublished() throws IOException {
        assertThat(found("artifactId", BOM).stream().filter(name -> !name.endsWith("-plugin"))
                .toList()).containsExactlyInAnyOrderElementsOf(modules()
                .filter(pom -> !Docs.text(pom).contains("<maven.deploy.skip>true<"))
                .map(pom -> pom.getParent().getFileName().toString()).toList());
        assertThat(found("version", BOM).getFirst())
                .isEqualTo(found("version", Docs.ROOT.resolve("pom.xml")).getFirst());
    }

    /** It has no parent to take them from, and each Maven has others of its own. */
    @Test
    void theBomTakesThePluginsOfTheOthers() {
        List<String> own = plugins(BOM);
        assertThat(own).hasSize(3).isSubsetOf(plugins(Docs.ROOT.resolve("pom.xml")));
    }

    private static List<String> plugins(Path pom) {
        return Pattern.compile("<artifactId>(maven-\\w+-plugin)</artifactId>\\s*<version>([^<]*)<")
                .matcher(Docs.text(pom)).results().map(match -> match.group(1) + ' ' + match.group(2)).toList();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void whatIsPublishedHasBoth(Path pom) {
        assumeThat(pom).as("has no jar at all").isNotEqualTo(BOM);
        String text = Docs.text(pom);
        boolean hasOwnJavadocJar = text.contains("<classifier>javadoc</classifier>");
        if (text.contains("<maven.deploy.skip>true<")) {
            assertThat(text).contains("<maven.javadoc.skip>true<");
        } else {
            assertThat(text).contains("<artifactId>maven-source-plugin</artifactId>");
            assertThat(text.contains("<maven.javadoc.skip>true<")).isEqualTo(hasOwnJavadocJar);
        }
    }

    private static List<String> found(String element, Path pom) {
        return Pattern.compile("<" + element + ">([^<]*)<").matcher(Docs.text(pom)).results()
                .map(match -> match.group(1)).toList();
    }
}
