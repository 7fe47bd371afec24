// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.library;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Which jfabric this is. The build writes it beside this class, so that jars made of several jars know it, too. */
public final class Release {
    private static final String FILE = "version.txt";
    private static final String UNKNOWN = "unknown";

    private Release() {
    }

    public static String text() {
        try (InputStream file = Release.class.getResourceAsStream(FILE)) {
            return file == null ? UNKNOWN : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
