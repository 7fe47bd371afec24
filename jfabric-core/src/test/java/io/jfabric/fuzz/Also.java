// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.Fabric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Modules built on the core: with --module the calls are of such a one, the core only makes their arguments. */
final class Also {
    static final String PROPERTY = "fuzz.also";

    /** By the name of the module: a type of it, whose package is all that it exports. */
    private static final Map<String, String> TYPES = Map.of("rdmacm", "io.jfabric.rdmacm.RdmaAddressInfo");

    private Also() {
    }

    /** For the JVM that makes the calls. */
    static String check(String module) {
        if (!TYPES.containsKey(module)) {
            throw new IllegalArgumentException("--module " + module + ": known are " + TYPES.keySet());
        }
        return module;
    }

    /** The page of docs that it is published on. */
    static String page() {
        return type() == null ? "fuzz-coverage.md" : "fuzz-coverage-" + System.getProperty(PROPERTY) + ".md";
    }

    /** Whether the calls are of such a module. */
    static boolean isChosen() {
        return type() != null;
    }

    private static String type() {
        return TYPES.get(System.getProperty(PROPERTY, ""));
    }

    /** A type of each module. */
    static Api api() {
        List<Class<?>> types = new ArrayList<>(List.of(Fabric.class));
        Stream.ofNullable(type()).forEach(name -> {
            try {
                types.add(Class.forName(name));
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(name + " is not on the class path", e);
            }
        });
        return new Api(types);
    }

    /** What to call. */
    static List<Target> wanted(Api api) {
        return type() == null ? api.targets
                : api.targets.stream().filter(t -> isOurs(t.executable().getDeclaringClass())).toList();
    }

    /** Whether a type is of the module. */
    static boolean isOurs(Class<?> type) {
        return type() != null && type().substring(0, type().lastIndexOf('.')).equals(type.getPackageName());
    }
}
