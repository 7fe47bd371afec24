// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Public records say which component is null, or take it: the JVM's own texts tell of what nobody looked at. */
class RecordNullsTest {
    @Test
    void noConstructorStumblesOverNull() throws Exception {
        List<Class<?>> records = publicRecords();
        assertThat(records).hasSizeGreaterThan(20);
        List<String> stumbled = new ArrayList<>();
        for (Class<?> type : records) {
            Constructor<?> constructor = type.getConstructors()[0];
            Class<?>[] parameters = constructor.getParameterTypes();
            for (int wrong = 0; wrong < parameters.length; wrong++) {
                if (!parameters[wrong].isPrimitive()) {
                    try {
                        constructor.newInstance(onlyNull(parameters, wrong));
                    } catch (InvocationTargetException e) {
                        if (e.getCause() instanceof NullPointerException n && n.getMessage().startsWith("Cannot ")) {
                            stumbled.add(type.getName() + ": " + n.getMessage());
                        }
                    }
                }
            }
        }
        assertThat(stumbled).isEmpty();
    }

    private static List<Class<?>> publicRecords() throws IOException, ClassNotFoundException {
        Path classes = Docs.ROOT.resolve("jfabric-core/target/classes");
        List<Class<?>> records = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes.resolve("io/jfabric"))) {
            for (String file : files.map(path -> classes.relativize(path).toString()).toList()) {
                if (file.endsWith(".class") && !file.startsWith("io/jfabric/internal/")) {
                    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
                    Class<?> type = Class.forName(name, false, RecordNullsTest.class.getClassLoader());
                    if (type.isRecord() && Modifier.isPublic(type.getModifiers())) {
                        records.add(type);
                    }
                }
            }
        }
        return records;
    }

    /** What is easily had stands for the other components; the rest is null, too. */
    private static Object[] onlyNull(Class<?>[] parameters, int wrong) {
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == wrong ? null : some(parameters[i]);
        }
        return arguments;
    }

    private static Object some(Class<?> type) {
        if (type.isPrimitive()) {
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 1);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return type == String.class ? "text" : type == List.class ? List.of() : null;
    }
}
