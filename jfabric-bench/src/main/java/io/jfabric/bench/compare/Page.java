// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page of the documentation that has places for what a program writes. */
public final class Page {
    private final Path file;
    private String text;

    /** Reads it. */
    public Page(Path file) throws IOException {
        this.file = file;
        text = Files.readString(file);
    }

    /**
     * Replaces what is between {@code <!-- generated: WHAT -->} and {@code <!-- end: WHAT -->}, each on a line of its
     * own.
     *
     * @param what the name of the place
     * @param content Markdown that ends with a line
     * @throws IOException if the page has no such place
     */
    public void replace(String what, String content) throws IOException {
        String begin = "<!-- generated: " + what + " -->\n";
        String end = "<!-- end: " + what + " -->\n";
        int from = text.indexOf(begin);
        int to = text.indexOf(end);
        if (from < 0 || to < from) {
            throw new IOException(file + " has no place for this: add two lines, " + begin.trim() + " and "
                    + end.trim());
        }
        text = text.substring(0, from + begin.length()) + "\n" + content + "\n" + text.substring(to);
    }

    /** Writes it. */
    public void write() throws IOException {
        Files.writeString(file, text);
    }
}
