// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.testing.OddlyNamed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who has a name in /dev/shm, where the layout of the file is not known. */
class ShmNameCheckTest {
    private static final String NAME = "jfabric-name-check-" + ProcessHandle.current().pid();
    private static final Path FILE = Path.of("/dev/shm", NAME);

    /** With a file that this process has mapped, and a number in its header. */
    private static void with(int number, Runnable action) throws IOException {
        try (FileChannel channel = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE); Arena arena = Arena.ofConfined()) {
            MemorySegment file = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
            file.set(ValueLayout.JAVA_INT, 0, -1);
            file.set(ValueLayout.JAVA_INT, 64, number);
            action.run();
        } finally {
            Files.delete(FILE);
        }
    }

    @Test
    void aProcessThatHasItMapped() throws IOException {
        with((int) ProcessHandle.current().pid(), () -> assertThatThrownBy(() -> ShmNameCheck.notTaken(NAME))
                .isInstanceOf(FabricException.class).hasMessageContaining("this process"));
    }

    @Test
    void aProcessThatHasAlsoMappedAFileWhoseNameIsNoText() throws Exception {
        try (OddlyNamed _ = new OddlyNamed()) {
            aProcessThatHasItMapped();
        }
    }

    /** In containers, where they are small, numbers of threads are what else is in a header. */
    @Test
    void notAThreadWhoseNumberIsThere() throws IOException {
        int thread;
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            thread = threads.mapToInt(path -> Integer.parseInt(path.getFileName().toString()))
                    .filter(number -> number != ProcessHandle.current().pid()).findFirst().orElseThrow();
        }
        with(thread, () -> assertThatCode(() -> ShmNameCheck.notTaken(NAME)).doesNotThrowAnyException());
    }
}
