// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.start;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GivenTest {
    private static String line(String... words) {
        return String.join("\0", words) + '\0';
    }

    /** Whatever the encoding is, as long as it leads back to the same bytes. */
    @Test
    void nothingIsLostOfTextInTheEncoding() {
        String bytes = new String("gr\u00f6\u00dfer".getBytes(UTF_8), ISO_8859_1);
        assertThat(Given.lost(line("java", "L", bytes, ""), UTF_8, "gr\u00f6\u00dfer", "")).isNull();
        assertThat(Given.lost(line("java", "L", "gr\u00f6\u00dfer"), ISO_8859_1, "gr\u00f6\u00dfer")).isNull();
        assertThat(Given.lost(line("java", "L", "a?", "?"), US_ASCII, "a?", "?")).isNull();
    }

    @Test
    void otherBytesAreLost() {
        assertThat(Given.lost(line("java", "L", "a", "\u00f6"), US_ASCII, "a", "?")).isEqualTo("?");
        assertThat(Given.lost(line("java", "L", "a", "\u00f6"), US_ASCII, "a", "\ufffd")).isEqualTo("\ufffd");
        assertThat(Given.lost(line("java", "L", "\u00f6", "b"), UTF_8, "\ufffd", "b")).isEqualTo("\ufffd");
    }

    /** They are in an argument file, or there is no /proc. */
    @Test
    void argumentsThatAreNotOnTheLineAreTakenAsTheyCome() {
        assertThat(Given.lost(line("java", "@file"), US_ASCII, "-n", "1", "a?")).isNull();
        assertThat(Given.lost(line("java", "-cp", "\u00f6", "@file"), US_ASCII, "echo", "a?")).isNull();
        assertThat(Given.lost("", US_ASCII, "a?")).isNull();
    }
}
