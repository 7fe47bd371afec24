// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import io.jfabric.collective.AddressVectorSet;
import io.jfabric.collective.Collectives;
import io.jfabric.trigger.Deferral;
import io.jfabric.wait.PollSet;
import io.jfabric.wait.WaitSet;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What programs see of jfabric: the types of the exported packages. */
public final class Contract {
    public static final List<String> PACKAGES = List.of("io.jfabric", "io.jfabric.async", "io.jfabric.collective",
            "io.jfabric.info", "io.jfabric.option", "io.jfabric.trigger", "io.jfabric.wait");
    /** Their static methods begin something with an object, as its own methods do. */
    @SuppressWarnings("deprecation")
    public static final List<Class<?>> ENTRANCES = List.of(AddressVectorSet.class, Collectives.class,
            Deferral.class, PollSet.class, WaitSet.class);

    private Contract() {
    }

    /** By its simple name; nested classes are written as in the source. */
    public static Optional<Class<?>> find(String name) {
        for (String home : PACKAGES) {
            try {
                return Optional.of(Class.forName(home + '.' + name.replace('.', '$')));
            } catch (ClassNotFoundException elsewhere) {
                // the next package
            }
        }
        return Optional.empty();
    }

    /** What a program takes an object for: a class of an exported package, or the interface of a hidden class. */
    public static Class<?> of(Object object) {
        Set<Class<?>> seen = new LinkedHashSet<>();
        collect(object.getClass(), seen);
        List<Class<?>> narrowest = seen.stream()
                .filter(type -> seen.stream().noneMatch(other -> other != type && type.isAssignableFrom(other)))
                .toList();
        if (narrowest.size() != 1) {
            throw new AssertionError(object.getClass() + " should have one contract, not " + narrowest);
        }
        return narrowest.getFirst();
    }

    private static void collect(Class<?> type, Set<Class<?>> seen) {
        if (PACKAGES.contains(type.getPackageName())) {
            seen.add(type);
        }
        if (type.getSuperclass() != null) {
            collect(type.getSuperclass(), seen);
        }
        Arrays.stream(type.getInterfaces()).forEach(parent -> collect(parent, seen));
    }

    /** What a program can call on an object, beyond what every object has. */
    public static List<Method> methods(Object object) {
        return methods(of(object), false);
    }

    /** The static methods of a type. */
    public static List<Method> statics(Class<?> type) {
        return methods(type, true);
    }

    private static List<Method> methods(Class<?> type, boolean statics) {
        return Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers()) == statics && !method.isSynthetic()
                        && method.getDeclaringClass() != Object.class)
                .toList();
    }
}
