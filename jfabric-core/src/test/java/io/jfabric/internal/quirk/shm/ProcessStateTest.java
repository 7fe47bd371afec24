// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Waits;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessStateTest {
    @TempDir
    private Path folder;

    /** The kernel cuts names, also in the middle of a letter. */
    @Test
    void isKnownOfAProcessWhoseNameIsNoText() throws Exception {
        Process process = new ProcessBuilder("bash", "-c", "cp \"$(command -v sleep)\" $'\\xe9'; ./$'\\xe9' 60 &"
                + " for i in {1..300}; do [ \"$(</proc/$!/comm)\" = $'\\xe9' ] && break; sleep 0.1; done;"
                + " rm $'\\xe9'; kill -STOP $!; echo $!; wait").directory(folder.toFile()).start();
        try {
            int pid = Integer.parseInt(process.inputReader().readLine());
            try {
                Waits.until("it is stopped", () -> ProcessState.of(pid) == ProcessState.STOPPED);
            } finally {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            process.waitFor();
            assertThat(ProcessState.of(pid)).isEqualTo(ProcessState.DEAD);
        } finally {
            process.destroyForcibly();
        }
    }
}
