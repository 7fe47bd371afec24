// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What is not called, and why. By the name of the method, in whatever type it stands. */
final class Exclusions {
    static final Map<String, String> REASONS = new LinkedHashMap<>();

    static {
        REASONS.put("control", "a raw command with a raw pointer: documented as an escape hatch that can crash");
        REASONS.put("getValue", "a raw variable with a pointer of unknown meaning: escape hatch");
        REASONS.put("setValue", "a raw variable with a pointer of unknown meaning: escape hatch");
        REASONS.put("openOps", "a provider's private functions: escape hatch");
        REASONS.put("setOps", "replaces the provider's functions by raw pointers: escape hatch");
    }

    /** With these parameters only; the same names without raw memory are called. */
    private static final Set<String> RAW = Set.of("MemorySegment", "long", "int", "String");

    private Exclusions() {
    }

    static boolean excludes(Executable e) {
        if (!REASONS.containsKey(e.getName()) || Modifier.isStatic(e.getModifiers())) {
            return false;
        }
        for (Class<?> parameter : e.getParameterTypes()) {
            if (!RAW.contains(parameter.getSimpleName())) {
                return false;
            }
        }
        return e.getParameterCount() >= 2;
    }
}
