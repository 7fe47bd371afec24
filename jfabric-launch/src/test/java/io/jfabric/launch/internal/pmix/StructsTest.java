// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.bindings.pmix.Pmix;
import io.jfabric.bindings.pmix.pmix_byte_object;
import io.jfabric.bindings.pmix.pmix_info;
import io.jfabric.bindings.pmix.pmix_proc;
import io.jfabric.bindings.pmix.pmix_value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The generated layouts and constants are those of this machine's headers (Debian: libpmix-dev), and those that joining
 * uses instead are the generated ones.
 */
class StructsTest {
    private static final String PROGRAM = """
            #include <pmix.h>
            #include <stddef.h>
            #include <stdio.h>
            #define N(x) printf("%d ", (int) (x));
            int main(void) {
                N(sizeof(pmix_proc_t)) N(offsetof(pmix_proc_t, rank))
                N(sizeof(pmix_value_t)) N(offsetof(pmix_value_t, data))
                N(sizeof(pmix_info_t)) N(offsetof(pmix_info_t, value))
                N(offsetof(pmix_value_t, data) + offsetof(pmix_byte_object_t, size))
                N(PMIX_BOOL) N(PMIX_STRING) N(PMIX_INT) N(PMIX_UINT16) N(PMIX_UINT32) N(PMIX_PROC) N(PMIX_BYTE_OBJECT)
                N(PMIX_RANK_WILDCARD) N(PMIX_GLOBAL) N(PMIX_SUCCESS) N(PMIX_ERR_PROC_ABORTED)
                N(PMIX_ERR_LOST_CONNECTION) N(PMIX_ERR_PROC_TERM_WO_SYNC) N(PMIX_EVENT_ACTION_COMPLETE)
                printf("%s %s %s %s %s %s %s", PMIX_JOB_SIZE, PMIX_LOCAL_RANK, PMIX_LOCAL_SIZE, PMIX_COLLECT_DATA,
                    PMIX_TIMEOUT, PMIX_HOSTNAME, PMIX_EVENT_AFFECTED_PROC);
                return 0;
            }
            """;

    @Test
    void areThoseOfTheHeaders(@TempDir Path directory) throws Exception {
        Path headers = Stream.of("/usr/lib/x86_64-linux-gnu/pmix2/include", "/usr/lib/aarch64-linux-gnu/pmix2/include",
                "/usr/include").map(Path::of).filter(path -> Files.exists(path.resolve("pmix.h"))).findFirst()
                .orElse(null);
        assumeTrue(headers != null, "the headers of PMIx are not installed");
        Path source = Files.writeString(directory.resolve("structs.c"), PROGRAM);
        run(directory, "gcc", "-I" + headers, "-o", directory.resolve("structs").toString(), source.toString());
        MemorySegment value = Arena.ofAuto().allocate(pmix_value.layout());
        long size = pmix_value.data.bo(pmix_value.data(value)).address() + pmix_byte_object.size$offset()
                - value.address();
        Stream<Object> numbers = Stream.of(pmix_proc.sizeof(), pmix_proc.rank$offset(), pmix_value.sizeof(),
                pmix_value.data$offset(), pmix_info.sizeof(), pmix_info.value$offset(), size, Pmix.PMIX_BOOL(),
                Pmix.PMIX_STRING(), Pmix.PMIX_INT(), Pmix.PMIX_UINT16(), Pmix.PMIX_UINT32(), Pmix.PMIX_PROC(),
                Pmix.PMIX_BYTE_OBJECT(), Pmix.PMIX_RANK_WILDCARD(), Pmix.PMIX_GLOBAL(), Pmix.PMIX_SUCCESS(),
                Pmix.PMIX_ERR_PROC_ABORTED(), Pmix.PMIX_ERR_LOST_CONNECTION(), Pmix.PMIX_ERR_PROC_TERM_WO_SYNC(),
                Pmix.PMIX_EVENT_ACTION_COMPLETE());
        Stream<Object> texts = Stream.of(Pmix.PMIX_JOB_SIZE(), Pmix.PMIX_LOCAL_RANK(), Pmix.PMIX_LOCAL_SIZE(),
                Pmix.PMIX_COLLECT_DATA(), Pmix.PMIX_TIMEOUT(), Pmix.PMIX_HOSTNAME(), Pmix.PMIX_EVENT_AFFECTED_PROC())
                .map(text -> text.getString(0));
        assertThat(run(directory, directory.resolve("structs").toString())).isEqualTo(
                Stream.concat(numbers, texts).map(Object::toString).collect(Collectors.joining(" ")));
    }

    @Test
    void ownNumbersAreThoseOfTheBindings() {
        MemorySegment value = Arena.ofAuto().allocate(pmix_value.layout());
        MemorySegment bytes = pmix_value.data.bo(pmix_value.data(value));
        assertThat(List.of(Structs.PROC, Structs.PROC_RANK, Structs.VALUE, Structs.VALUE_DATA, Structs.VALUE_SIZE,
                Structs.INFO, Structs.INFO_VALUE, Structs.SUCCESS, Structs.BOOL, Structs.STRING, Structs.INT,
                Structs.UINT16, Structs.UINT32, Structs.BYTE_OBJECT, Structs.GLOBAL, Structs.WILDCARD))
                .isEqualTo(List.of((int) pmix_proc.sizeof(), (int) pmix_proc.rank$offset(), (int) pmix_value.sizeof(),
                        (int) pmix_value.data$offset(),
                        (int) (bytes.address() + pmix_byte_object.size$offset() - value.address()),
                        (int) pmix_info.sizeof(), (int) pmix_info.value$offset(), Pmix.PMIX_SUCCESS(),
                        Pmix.PMIX_BOOL(), Pmix.PMIX_STRING(), Pmix.PMIX_INT(), Pmix.PMIX_UINT16(),
                        Pmix.PMIX_UINT32(), Pmix.PMIX_BYTE_OBJECT(), Pmix.PMIX_GLOBAL(),
                        Pmix.PMIX_RANK_WILDCARD()));
        assertThat(pmix_byte_object.bytes$offset()).isZero();
        assertThat(Stream.of(Pmix.PMIX_JOB_SIZE(), Pmix.PMIX_LOCAL_RANK(), Pmix.PMIX_LOCAL_SIZE(),
                Pmix.PMIX_HOSTNAME(), Pmix.PMIX_COLLECT_DATA(), Pmix.PMIX_TIMEOUT()).map(text -> text.getString(0)))
                .containsExactly(Structs.JOB_SIZE, Structs.LOCAL_RANK, Structs.LOCAL_SIZE, Structs.HOSTNAME,
                        Structs.COLLECT_DATA, Structs.TIMEOUT);
    }

    /** What is written here is found where the bindings look, and the other way round. */
    @Test
    void structsAreThoseOfTheBindings() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment proc = Structs.proc(arena, "job", 3);
            assertThat(proc.getString(pmix_proc.nspace$offset())).isEqualTo("job");
            assertThat(pmix_proc.rank(proc)).isEqualTo(Structs.rank(proc)).isEqualTo(3);
            MemorySegment infos = Structs.infos(arena, 2);
            Structs.collectData(infos, 0);
            Structs.timeout(infos, 1, 1001);
            assertThat(pmix_info.key(pmix_info.asSlice(infos, 1)).getString(0)).isEqualTo(Structs.TIMEOUT);
            MemorySegment flag = pmix_info.value(infos);
            assertThat(pmix_value.type(flag)).isEqualTo((short) Structs.BOOL);
            assertThat(pmix_value.data.flag(pmix_value.data(flag))).isTrue();
            MemorySegment timeout = pmix_info.value(pmix_info.asSlice(infos, 1));
            assertThat(pmix_value.data.integer(pmix_value.data(timeout))).isEqualTo(2);
            assertThat(Structs.number(timeout)).hasValue(2);
            assertThat(Structs.number(flag)).isEmpty();
            MemorySegment rank = pmix_value.allocate(arena);
            pmix_value.type(rank, (short) Structs.UINT16);
            pmix_value.data.uint16(pmix_value.data(rank), (short) -1);
            assertThat(Structs.number(rank)).hasValue(0xffff);
            for (byte[] bytes : new byte[][] {{}, {1, 2, 3}}) {
                MemorySegment value = Structs.bytes(arena, bytes);
                MemorySegment object = pmix_value.data.bo(pmix_value.data(value));
                assertThat(Structs.size(value)).isEqualTo(pmix_byte_object.size(object)).isEqualTo(bytes.length + 1);
                assertThat(Structs.data(value).address()).isEqualTo(pmix_byte_object.bytes(object).address());
                assertThat(Structs.copy(Structs.data(value), bytes.length + 1)).isEqualTo(bytes);
                MemorySegment pointer = arena.allocateFrom(ValueLayout.ADDRESS, value);
                assertThat(Structs.is(Structs.BYTE_OBJECT, Structs.value(pointer))).isTrue();
            }
            assertThat(Structs.text(arena, "kéy").getString(0)).isEqualTo("kéy");
        }
    }

    /** Its output goes to a file: whoever reads from it before it has ended may wait for ever. */
    private static String run(Path directory, String... command) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).as(command[0]).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }
}
