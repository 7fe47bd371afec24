// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.OddlyNamed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddressSpaceTest {
    private static final long BYTES = 1 << 16;

    @TempDir
    private Path folder;

    private MemorySegment map(String name, Arena arena) throws IOException {
        try (FileChannel file = FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
        }
    }

    @Test
    void isOfTheFileAndNotOfOneWhoseNameBeginsLikeThat() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment one = map("1:0:1", arena);
            MemorySegment ten = map("1:0:10", arena);
            assertThat(AddressSpace.of(folder.resolve("1:0:1")))
                    .containsExactly(new AddressSpace(one.address(), BYTES));
            assertThat(AddressSpace.of(folder.resolve("1:0:10")))
                    .containsExactly(new AddressSpace(ten.address(), BYTES));
            assertThat(AddressSpace.of(folder.resolve("1:0:"))).isEmpty();
        }
    }

    @Test
    void aFileMayBeMappedOftener() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment one = map("twice", arena);
            MemorySegment other = map("twice", arena);
            assertThat(AddressSpace.of(folder.resolve("twice"))).containsExactlyInAnyOrder(
                    new AddressSpace(one.address(), BYTES), new AddressSpace(other.address(), BYTES));
        }
    }

    @Test
    void isFoundBesideAFileWhoseNameIsNoText() throws Exception {
        try (Arena arena = Arena.ofShared(); OddlyNamed _ = new OddlyNamed()) {
            MemorySegment one = map("one", arena);
            assertThat(AddressSpace.of(folder.resolve("one"))).containsExactly(new AddressSpace(one.address(), BYTES));
        }
    }
}
