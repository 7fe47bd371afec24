// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Objects that stand in constants of their own types, as options do, which nothing else gives. */
final class Constants {
    private static final Map<Class<?>, List<Object>> FOUND = new ConcurrentHashMap<>();

    private Constants() {
    }

    static List<Object> of(Class<?> type) {
        if (type.isEnum() || AutoCloseable.class.isAssignableFrom(type)) {
            return List.of();
        }
        return FOUND.computeIfAbsent(type, t -> Stream.of(t.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && t.isAssignableFrom(field.getType()))
                .map(Constants::value).toList());
    }

    private static Object value(Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
