// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rules of the house, for the classes below a root package: which package may know which, who may call C. Each rule
 * answers with what breaks it, one line each; {@link HouseTest} runs them on jfabric, and on classes that break them.
 */
record House(String root, JavaClasses classes) {
    /** From the ground up: each knows only those below it. */
    static final List<String> FLOORS = List.of("internal.ffi", "internal.ops", "internal.library", "info", "option",
            "", "collective", "trigger", "wait", "async", "internal.clock", "internal.quirk", "internal.quirk.shm",
            "internal.watch", "internal.life", "internal.info", "internal.context", "internal.shared",
            "internal.quirk.guard", "internal.post", "internal.request", "internal.address", "internal.queue",
            "internal.memory", "internal.connect", "internal.endpoint", "internal.domain", "internal.collective",
            "internal.trigger", "internal.wait", "internal.combine", "internal.group", "internal.idle",
            "internal.async.future", "internal.pool", "internal.async.flow", "internal.async.drive",
            "internal.async.peer", "internal.async.operation", "internal.async.connect", "internal.async.node",
            "internal.async.group", "internal.call.wire", "internal.call.caller", "internal.call.service",
            "internal.alive");
    /** Where C is called: below the contracts, and known to them. */
    private static final Set<String> CELLAR = Set.of("internal.ffi", "internal.ops", "internal.library");
    private static final Set<Class<?>> NATIVE = Set.of(Linker.class, SymbolLookup.class, MethodHandle.class);

    /** The package of a class without the root: {@code internal.queue}; empty for the root itself. */
    String floorOf(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(root) ? "" : name.substring(root.length() + 1);
    }

    private boolean isOurs(JavaClass type) {
        String name = type.getPackageName();
        return (name.equals(root) || name.startsWith(root + ".")) && FLOORS.contains(floorOf(type));
    }

    private static boolean isContract(String floor) {
        return !floor.startsWith("internal");
    }

    /** Packages that stand on no floor. */
    Set<String> homeless() {
        Set<String> unknown = new TreeSet<>();
        for (JavaClass type : classes) {
            String name = type.getPackageName();
            if ((name.equals(root) || name.startsWith(root + ".")) && !FLOORS.contains(floorOf(type))) {
                unknown.add(name);
            }
        }
        return unknown;
    }

    /** What code knows of floors above its own. Contracts have a rule of their own: {@link #doors}. */
    Set<String> upward() {
        Set<String> found = new TreeSet<>();
        for (JavaClass from : classes) {
            if (!isOurs(from)) {
                continue;
            }
            String here = floorOf(from);
            from.getDirectDependenciesFromSelf().stream().map(d -> d.getTargetClass().getBaseComponentType())
                    .filter(this::isOurs).forEach(to -> {
                        String there = floorOf(to);
                        boolean door = isContract(here) && !isContract(there);
                        if (!door && FLOORS.indexOf(there) > FLOORS.indexOf(here)) {
                            found.add(from.getName() + " knows " + to.getName());
                        }
                    });
        }
        return found;
    }

    /** Contracts that know code other than by the static methods that users come in through. */
    Set<String> doors() {
        Set<String> found = new TreeSet<>();
        for (JavaClass contract : classes) {
            if (!isOurs(contract) || !isContract(floorOf(contract))) {
                continue;
            }
            for (JavaAccess<?> access : contract.getAccessesFromSelf()) {
                if (isCode(access.getTargetOwner()) && !isStatic(access.getOrigin())) {
                    found.add(access.getDescription());
                }
            }
            signatures(contract).filter(this::isCode).forEach(type ->
                    found.add(contract.getName() + " shows " + type.getName()));
        }
        return found;
    }

    private boolean isCode(JavaClass type) {
        return isOurs(type) && !isContract(floorOf(type)) && !CELLAR.contains(floorOf(type));
    }

    private static boolean isStatic(JavaCodeUnit origin) {
        return origin instanceof JavaMethod method && method.getModifiers().contains(JavaModifier.STATIC);
    }

    private static Stream<JavaClass> signatures(JavaClass type) {
        List<JavaClass> all = new ArrayList<>(type.getAllRawSuperclasses());
        all.addAll(type.getRawInterfaces());
        for (JavaMethod method : type.getMethods()) {
            if (!method.getModifiers().contains(JavaModifier.PRIVATE)
                    && !method.getModifiers().contains(JavaModifier.SYNTHETIC)) {
                all.add(method.getRawReturnType());
                all.addAll(method.getRawParameterTypes());
            }
        }
        type.getFields().stream().map(JavaField::getRawType).forEach(all::add);
        return all.stream().map(JavaClass::getBaseComponentType);
    }

    /** Calls of C, and of memory by its bare address, from outside the packages that are for it. */
    Set<String> downcalls() {
        Set<String> found = new TreeSet<>();
        for (JavaClass from : classes) {
            if (!isOurs(from) || CELLAR.contains(floorOf(from))) {
                continue;
            }
            for (JavaAccess<?> access : from.getAccessesFromSelf()) {
                boolean calls = NATIVE.stream().anyMatch(type -> access.getTargetOwner().isEquivalentTo(type));
                boolean reinterprets = access.getTargetOwner().isEquivalentTo(MemorySegment.class)
                        && access.getName().equals("reinterpret");
                if (calls || reinterprets) {
                    found.add(access.getDescription());
                }
            }
        }
        return found;
    }
}
