// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a directory of its own: a mistake would remove what others have in /dev/shm. */
class LeftoversTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void some() throws IOException {
        for (String name : List.of("*a", "ba", "[b]a")) {
            Files.createFile(directory.resolve(name));
        }
    }

    private List<String> left() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void prefixesAreNoPatterns() throws IOException {
        Leftovers.removeFiles(directory, "*");
        assertThat(left()).containsExactly("[b]a", "ba");
        Leftovers.removeFiles(directory, "[b]");
        assertThat(left()).containsExactly("ba");
    }

    @Test
    void allIsNotRemoved() throws IOException {
        assertThatIllegalArgumentException().isThrownBy(() -> Leftovers.removeFiles(directory, ""));
        assertThat(left()).hasSize(3);
    }
}
