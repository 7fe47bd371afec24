// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The documentation of this repository, and the blocks of code in it. */
public final class Docs {
    public static final Path ROOT = root();
    /** A fenced block, and the comment before it that makes it a complete program, or says where it is from. */
    private static final Pattern BLOCK = Pattern.compile(
            "(?:^<!-- (?:program: (?<program>.*?)|from: (?<source>.*?)) -->\\R)?"
                    + "^```(?<language>\\w+)\\R(?<code>.*?)^```",
            Pattern.MULTILINE | Pattern.DOTALL);

    private Docs() {
    }

    /**
     * A fenced block of code.
     *
     * @param file where it is
     * @param line on which line of it the code starts
     * @param language after the fence
     * @param program file name and arguments of a complete program; null for anything else
     * @param source the file of this repository that has the code, too; null for anything else
     * @param code the text
     */
    public record Block(Path file, int line, String language, String program, String source, String code) {
        @Override
        public String toString() {
            return ROOT.relativize(file) + ":" + line;
        }
    }

    /** README.md, CONTRIBUTING.md, CHANGELOG.md and all that is in docs. */
    public static List<Path> files() {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                    Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(ROOT::resolve),
                    docs.filter(file -> file.toString().endsWith(".md")).sorted()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Block> blocks(Path file) {
        String text = text(file);
        List<Block> blocks = new ArrayList<>();
        for (Matcher m = BLOCK.matcher(text); m.find();) {
            int line = (int) text.substring(0, m.start("code")).lines().count() + 1;
            blocks.add(new Block(file, line, m.group("language"), m.group("program"), m.group("source"),
                    m.group("code")));
        }
        return blocks;
    }

    // Surefire runs in the module's directory, an IDE perhaps in the repository's.
    private static Path root() {
        Path dir = Path.of("").toAbsolutePath();
        while (dir != null && !Files.exists(dir.resolve("jfabric-core/pom.xml"))) {
            dir = dir.getParent();
        }
        if (dir == null) {
            throw new IllegalStateException("not inside the repository: " + Path.of("").toAbsolutePath());
        }
        return dir;
    }
}
