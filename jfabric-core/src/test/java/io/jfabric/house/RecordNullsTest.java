// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.jfabric.testing.Docs;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Public records say which component is null, or take it: the JVM's own texts tell of what nobody looked at. */
class RecordNullsTest {
    @Test
    void noConstructorStumblesOverNull() throws ReflectiveOperationException {
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

    private static List<Class<?>> publicRecords() {
        List<Class<?>> records = new ArrayList<>();
        new ClassFileImporter().importPath(Docs.ROOT.resolve("jfabric-core/target/classes")).stream()
                .filter(c -> c.isRecord() && c.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(c -> !c.getPackageName().startsWith("io.jfabric.internal"))
                .map(JavaClass::reflect).forEach(records::add);
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
