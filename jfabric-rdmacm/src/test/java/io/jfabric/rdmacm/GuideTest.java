// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/rdma-getaddrinfo.md shows compiles. */
class GuideTest {
    private static final Pattern BLOCK = Pattern.compile("^```java\\R(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    Path dir;

    @Test
    void everySnippetCompiles() throws Exception {
        String text = Files.readString(Path.of("../docs/rdma-getaddrinfo.md"));
        int found = 0;
        for (Matcher block = BLOCK.matcher(text); block.find(); found++) {
            Path source = Files.writeString(dir.resolve("Snippet" + found + ".java"), """
                    import module java.base;
                    import io.jfabric.*;
                    import io.jfabric.async.*;
                    import io.jfabric.info.*;
                    import io.jfabric.rdmacm.*;
                    abstract class Snippet%s {
                        void snippet() throws Exception {
                    %s
                        }
                    }
                    """.formatted(found, block.group(1)));
            StringWriter messages = new StringWriter();
            PrintWriter out = new PrintWriter(messages);
            int status = ToolProvider.findFirst("javac").orElseThrow()
                    .run(out, out, "-d", dir.toString(), "-cp", classPath(), source.toString());
            assertThat(status).as(messages::toString).isZero();
        }
        assertThat(found).isPositive();
    }

    // tests run as a module, programs mostly on the class path
    private static String classPath() {
        return System.getProperty("java.class.path") + File.pathSeparator
                + System.getProperty("jdk.module.path", "");
    }
}
