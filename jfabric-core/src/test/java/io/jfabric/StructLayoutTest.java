// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Newer;
import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.UnionLayout;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The generated layouts and constants against the C compiler and the installed headers: size of every struct, offset
 * and size of every field, value of every constant. What older headers lack is listed here; anything else missing is a
 * compiler error and fails the test.
 */
class StructLayoutTest {
    static final List<String> HEADERS = List.of("fabric", "fi_domain", "fi_endpoint", "fi_cm", "fi_eq",
            "fi_errno", "fi_rma", "fi_tagged", "fi_atomic", "fi_trigger", "fi_collective", "fi_ext", "fi_profile",
            "providers/fi_log");

    private static final Version FIRST = new Version(1, 0);
    /** First release of what 1.17 has not: structs by name, fields by path. */
    private static final Map<String, Version> SINCE = since();
    /** Constants that differ between releases by intention: the last four became 0 in 2.0, as nothing uses them. */
    static final Set<String> CHANGING = Set.of("FI_MAJOR_VERSION", "FI_MINOR_VERSION", "FI_REVISION_VERSION",
            "FI_ERRNO_MAX", "FI_EP_SOCK_STREAM", "FI_NOTIFY_FLAGS_ONLY", "FI_RESTRICTED_COMP", "FI_VARIABLE_MSG");

    @TempDir
    private Path directory;

    private static Map<String, Version> since() {
        Map<String, Version> map = new HashMap<>();
        put(map, new Version(1, 19), "fi_mr_attr.hmem_data");
        put(map, new Version(1, 20), "fi_domain_attr.max_ep_auth_key", "fi_cq_err_entry.src_addr",
                "fi_mr_attr.dmabuf", "fi_ops_av.insert_auth_key", "fi_ops_av.lookup_auth_key",
                "fi_ops_av.set_user_id", "fi_mr_dmabuf", "fi_mr_auth_key");
        put(map, new Version(1, 22), "fi_mr_attr.page_size");
        put(map, new Version(2, 0), "fi_domain_attr.max_group_id", "fi_domain_attr.progress", "fi_mr_attr.base_mr",
                "fi_profile_desc", "fi_profile_ops", "fid_profile",
                "fi_mr_attr.sub_mr_cnt");
        return map;
    }

    private static void put(Map<String, Version> map, Version since, String... names) {
        for (String name : names) {
            map.put(name, since);
        }
    }

    record Field(String path, long offset, long size) {
    }

    @Test
    void everyStructIsAsTheCompilerSeesIt() throws Exception {
        Version headers = headers();
        Map<String, GroupLayout> structs = structs();
        assertThat(structs).as("what jextract generated").hasSizeGreaterThan(80);
        StringBuilder program = new StringBuilder();
        Map<String, String> expected = new LinkedHashMap<>();
        structs.forEach((name, layout) -> {
            if (missing(name, headers)) {
                return;
            }
            for (Field field : fields(name, layout)) {
                if (missing(field.path, headers)) {
                    continue;
                }
                String member = field.path.substring(name.length() + 1);
                program.append("printf(\"%s %%zu %%zu\\n\", offsetof(struct %s, %s), %s);\n".formatted(field.path,
                        name, member, field.size == 0 ? "(size_t) 0"
                                : "sizeof(((struct %s *) 0)->%s)".formatted(name, member)));
                expected.put(field.path, field.offset + " " + sizeIn(field, headers, structs));
            }
            program.append("printf(\"%s %%zu\\n\", sizeof(struct %s));\n".formatted(name, name));
            expected.put(name, String.valueOf(sizeOf(name, layout, headers)));
        });
        Map<String, String> actual = compileAndRun(program.toString());
        if (headers.atLeast(new Version(2, 2))) {
            // fields that releases after 2.1 append make a struct longer, which is all right; moved ones are not
            actual.replaceAll((key, value) -> !key.contains(".")
                    && Long.parseLong(value) > Long.parseLong(expected.get(key)) ? expected.get(key) : value);
        }
        assertSame(actual, expected);
        assertThat(expected).hasSizeGreaterThan(500);
    }

    private static boolean missing(String name, Version headers) {
        return !headers.atLeast(SINCE.getOrDefault(name, FIRST));
    }

    /** The size a struct has in these headers: a struct that lacks fields is shorter, and so is one that embeds it. */
    private static long sizeOf(String name, GroupLayout layout, Version headers) {
        return layout.byteSize() - shrinkage(name.equals("fi_mr_modify") ? structOf("fi_mr_attr") : layout, headers);
    }

    private static long shrinkage(GroupLayout layout, Version headers) {
        List<Field> fields = fields(layout.name().orElseThrow(), layout);
        if (fields.stream().noneMatch(f -> missing(f.path, headers))) {
            return 0;
        }
        long end = fields.stream().filter(f -> !missing(f.path, headers)).mapToLong(f -> f.offset + f.size).max()
                .orElseThrow();
        long alignment = layout.byteAlignment();
        return layout.byteSize() - (end + alignment - 1) / alignment * alignment;
    }

    private static long sizeIn(Field field, Version headers, Map<String, GroupLayout> structs) {
        return field.path.equals("fi_mr_modify.attr") ? field.size - shrinkage(structs.get("fi_mr_attr"), headers)
                : field.size;
    }

    private static GroupLayout structOf(String name) {
        try {
            return (GroupLayout) Class.forName("io.jfabric.bindings." + name).getMethod("layout").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Also those of nested structs and unions, whose own names C leaves out if they are anonymous. */
    static List<Field> fields(String prefix, GroupLayout layout) {
        List<Field> fields = new ArrayList<>();
        collect(prefix, layout, 0, fields);
        return fields;
    }

    private static void collect(String prefix, GroupLayout layout, long base, List<Field> fields) {
        long offset = base;
        for (MemoryLayout member : layout.memberLayouts()) {
            String name = member.name().orElse("");
            boolean anonymous = name.startsWith("$anon$");
            if (!name.isEmpty()) {
                if (!anonymous) {
                    long size = member instanceof SequenceLayout s && s.elementCount() == 0 ? 0 : member.byteSize();
                    fields.add(new Field(prefix + "." + name, offset, size));
                }
                if (member instanceof GroupLayout group && (anonymous || isUnnamed(group))) {
                    collect(anonymous ? prefix : prefix + "." + name, group, offset, fields);
                }
            }
            if (!(layout instanceof UnionLayout)) {
                offset += member.byteSize();
            }
        }
    }

    // a nested type that C gave no name has no class of its own at the top level
    private static boolean isUnnamed(GroupLayout group) {
        return group instanceof UnionLayout;
    }

    @Test
    void everyConstantHasTheValueOfTheHeaders() throws Exception {
        Version headers = headers();
        StringBuilder program = new StringBuilder();
        Map<String, String> expected = new TreeMap<>();
        for (Method method : Libfabric.class.getMethods()) {
            String name = method.getName();
            if (!name.startsWith("FI_") || method.getParameterCount() != 0 || CHANGING.contains(name)
                    || !headers.atLeast(new Version(2, 1)) && NewConstants.AFTER_1_17.contains(name)) {
                continue;
            }
            if (method.getReturnType() == MemorySegment.class) {
                program.append("printf(\"%s %%s\\n\", %s);\n".formatted(name, name));
                expected.put(name, ((MemorySegment) method.invoke(null)).getString(0));
                continue;
            }
            assertThat(method.getReturnType()).as(name).isIn(int.class, long.class);
            program.append("printf(\"%s %%lld\\n\", (long long) %s(%s));\n".formatted(name,
                    method.getReturnType() == int.class ? "(int) " : "", name));
            expected.put(name, String.valueOf(((Number) method.invoke(null)).longValue()));
        }
        assertSame(compileAndRun(program.toString()), expected);
        assertThat(expected).hasSizeGreaterThan(400);
    }

    /** What stands in no generated class: the numbers of releases after 2.1. */
    @Test
    void newerConstantsAndFieldsAreThoseOfTheHeaders() throws Exception {
        Version headers = headers();
        assumeTrue(headers.atLeast(new Version(2, 5)), "headers of 2.5 or newer");
        Map<String, String> expected = Map.of("FI_RESCAN", String.valueOf(Newer.RESCAN),
                "FI_FIREWALL_ADDR", String.valueOf(Newer.FIREWALL_ADDR),
                "FI_OPT_FIREWALL_ADDR", String.valueOf(Newer.OPT_FIREWALL_ADDR),
                "FI_EFIREWALLADDR", String.valueOf(Newer.EFIREWALLADDR),
                "FI_SOCKADDR_IP", String.valueOf(Newer.SOCKADDR_IP),
                "offsetof(struct fi_domain_attr, max_cntr_value)", String.valueOf(Newer.MAX_CNTR_VALUE),
                "offsetof(struct fi_domain_attr, max_err_cntr_value)", String.valueOf(Newer.MAX_ERR_CNTR_VALUE));
        StringBuilder program = new StringBuilder();
        Map<String, String> byNumber = new LinkedHashMap<>();
        for (Map.Entry<String, String> one : expected.entrySet()) {
            String name = "n" + byNumber.size();
            byNumber.put(name, one.getValue());
            program.append("printf(\"%s %%lld\\n\", (long long) %s);\n".formatted(name, one.getKey()));
        }
        assertSame(compileAndRun(program.toString()), byNumber);
    }

    private static void assertSame(Map<String, String> actual, Map<String, String> expected) {
        assertThat(expected.entrySet().stream().filter(e -> !e.getValue().equals(actual.get(e.getKey())))
                .map(e -> e.getKey() + ": " + e.getValue() + " in Java, " + actual.get(e.getKey()) + " in C"))
                .isEmpty();
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
    }

    private Version headers() throws Exception {
        Map<String, String> version = compileAndRun("printf(\"version %d %d\\n\", FI_MAJOR_VERSION, "
                + "FI_MINOR_VERSION);\n");
        String[] parts = version.get("version").split(" ");
        Version headers = new Version(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        assertThat(headers.atLeast(new Version(1, 17))).as("headers %s are supported", headers).isTrue();
        return headers;
    }

    /** Lines of a name and numbers. */
    private Map<String, String> compileAndRun(String body) throws Exception {
        Path source = directory.resolve("layout.c");
        Path program = directory.resolve("layout");
        Path directoryOfHeaders = Stream.concat(
                Stream.of(System.getenv().getOrDefault("C_INCLUDE_PATH", "").split(":")), Stream.of("/usr/include"))
                .map(parent -> Path.of(parent, "rdma")).filter(path -> Files.exists(path.resolve("fabric.h")))
                .findFirst().orElse(null);
        assumeTrue(directoryOfHeaders != null, "libfabric's headers are not installed");
        List<String> present = HEADERS.stream().filter(h -> Files.exists(directoryOfHeaders.resolve(h + ".h")))
                .toList();
        // fi_profile.h of 2.x uses container_of without defining it
        Files.writeString(source, "#include <stddef.h>\n#include <stdio.h>\n"
                + "#define container_of(p, type, field) ((type *) ((char *) (p) - offsetof(type, field)))\n"
                + present.stream().map("#include <rdma/%s.h>\n"::formatted).collect(Collectors.joining())
                + "int main(void) {\n" + body + "return 0; }\n");
        run(List.of("gcc", "-w", "-o", program.toString(), source.toString()));
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : run(List.of(program.toString())).split("\n")) {
            int space = line.indexOf(' ');
            values.put(line.substring(0, space), line.substring(space + 1));
        }
        return values;
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(30, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("%s ended", command).isTrue();
        assertThat(process.exitValue()).as("%s:\n%s", command.getFirst(), Files.readString(output)).isZero();
        return Files.readString(output);
    }

    /** The layout of every generated class, from wherever the bindings are: a directory or a jar. */
    static Map<String, GroupLayout> structs() throws Exception {
        URI uri = Libfabric.class.getResource("Libfabric.class").toURI();
        List<String> names;
        if (uri.getScheme().equals("jar")) {
            try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                names = classesIn(jar.getPath("io", "jfabric", "bindings"));
            }
        } else {
            names = classesIn(Path.of(uri).getParent());
        }
        Map<String, GroupLayout> structs = new TreeMap<>();
        for (String name : names) {
            structs.put(name, structOf(name));
        }
        return structs;
    }

    private static List<String> classesIn(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("fi") && name.endsWith(".class") && !name.contains("$"))
                    .map(name -> name.substring(0, name.length() - ".class".length())).toList();
        }
    }
}
