// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What was written on the command line, of which a JVM loses what its locale's encoding does not have. */
final class Given {
    private static final Path LINE = Path.of("/proc/self/cmdline");
    private static final char LOST = '\uFFFD';

    private Given() {
    }

    /** Throws IllegalArgumentException if programs would get other arguments than were given. */
    static void check(String... args) {
        Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding"), StandardCharsets.UTF_8);
        String wrong = lost(line(), charset, args);
        if (wrong != null) {
            throw new IllegalArgumentException("\"" + wrong + "\" is not what was given: a JVM takes arguments for "
                    + "text in the locale's encoding, which is " + charset + ", and loses what is none; begin with "
                    + "LC_ALL=C.UTF-8 if they are UTF-8");
        }
    }

    /** Bytes are characters here; each argument ends with a zero. */
    private static String line() {
        try {
            return new String(Files.readAllBytes(LINE), StandardCharsets.ISO_8859_1);
        } catch (IOException unknown) {
            return "";
        }
    }

    /** The first argument that has lost something; null if none has, or that is not known. */
    static String lost(String line, Charset charset, String... args) {
        String[] words = line.split("\0", -1);
        // it ends with a zero; and what comes from an argument file is not there
        int first = words.length - 1 - args.length;
        for (int i = 0; i < args.length && first >= 0; i++) {
            byte[] bytes = words[first + i].getBytes(StandardCharsets.ISO_8859_1);
            String text = new String(bytes, charset);
            boolean same = args[i].equals(text) || args[i].equals(text.replace(LOST, '?'));
            if (same && !Arrays.equals(args[i].getBytes(charset), bytes)) {
                return args[i];
            }
        }
        return null;
    }
}
