// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that users can call: the public members of the public types of the packages that the module exports. */
final class Api {
    /** For campaigns while something is known to be broken: methods not to call, from --skip. */
    private static final Pattern SKIP = Optional.ofNullable(System.getProperty("fuzz.skip")).map(Pattern::compile)
            .orElse(null);
    final List<Class<?>> types = new ArrayList<>();
    final List<Target> targets = new ArrayList<>();
    final List<String> excluded = new ArrayList<>();
    /** Constants of all exported enums, for parameters whose enum is a type variable. */
    final List<Class<?>> enums = new ArrayList<>();
    private final Set<String> exported = new HashSet<>();
    private final ClassLoader loader;
    private final ClassValue<List<Class<?>>> publicTypes = new ClassValue<>() {
        @Override
        protected List<Class<?>> computeValue(Class<?> type) {
            // arenas of the library are used as what they are
            return Stream.concat(types.stream(), Stream.of(Arena.class)).filter(t -> t.isAssignableFrom(type)).toList();
        }
    };

    /** Of the modules that these types are of. */
    Api(List<Class<?>> anyTypes) {
        loader = anyTypes.getFirst().getClassLoader();
        try {
            for (Class<?> anyType : anyTypes) {
                URI home = anyType.getProtectionDomain().getCodeSource().getLocation().toURI();
                Path path = Path.of(home);
                if (Files.isDirectory(path)) {
                    exported.addAll(scan(path));
                } else {
                    try (FileSystem jar = FileSystems.newFileSystem(path)) {
                        exported.addAll(scan(jar.getPath("/")));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        types.sort(Comparator.comparing(Class::getName));
        List<Member> found = new ArrayList<>();
        types.forEach(type -> members(type, found));
        found.sort(Comparator.comparing(Member::name));
        found.forEach(m -> targets.add(Target.of(targets.size(), m.type, m.executable)));
        types.stream().filter(t -> t.isEnum() && t.getInterfaces().length > 0).forEach(enums::add);
    }

    private Set<String> scan(Path root) throws IOException {
        ModuleDescriptor module;
        try (InputStream in = Files.newInputStream(root.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(in);
        }
        Set<String> packages = module.exports().stream().filter(e -> !e.isQualified())
                .map(ModuleDescriptor.Exports::source).collect(Collectors.toSet());
        for (String name : packages) {
            try (Stream<Path> files = Files.list(root.resolve(name.replace('.', '/')))) {
                files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".class"))
                        .filter(f -> !f.equals("package-info.class"))
                        .forEach(f -> add(name + '.' + f.substring(0, f.length() - 6)));
            }
        }
        return packages;
    }

    private void add(String name) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            for (Class<?> c = type; c != null; c = c.getDeclaringClass()) {
                if (!Modifier.isPublic(c.getModifiers()) || c.isAnonymousClass() || c.isLocalClass()) {
                    return;
                }
            }
            types.add(type);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Member(Class<?> type, Executable executable) {
        String name() {
            return Target.nameOf(type, executable);
        }
    }

    private void members(Class<?> type, List<Member> into) {
        List<Executable> found = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers())) {
            found.addAll(List.of(type.getConstructors()));
        }
        for (Method m : type.getMethods()) {
            Class<?> home = m.getDeclaringClass();
            // what comes from a class that is not public is called through this one
            boolean own = home == type && !m.isSynthetic() || home != type && isVisible(home)
                    && !Modifier.isPublic(home.getModifiers()) && home.getName().startsWith("io.jfabric.");
            if (own) {
                m.setAccessible(true);
                found.add(m);
            }
        }
        found.stream().filter(e -> isCallable(type, e)).forEach(e -> into.add(new Member(type, e)));
    }

    private boolean isCallable(Class<?> type, Executable e) {
        if (isCallback(type) && !Modifier.isStatic(e.getModifiers())
                || SKIP != null && SKIP.matcher(Target.nameOf(type, e)).find()) {
            return false;
        }
        if (Exclusions.excludes(e)) {
            excluded.add(Target.nameOf(type, e));
            return false;
        }
        return Arrays.stream(e.getParameterTypes()).allMatch(this::isVisible);
    }

    /** What users implement is called by the library; our own implementations need no test. */
    private static boolean isCallback(Class<?> type) {
        return type.isInterface() && (type.isAnnotationPresent(FunctionalInterface.class)
                || Scene.CALLBACKS.contains(type.getSimpleName()));
    }

    private boolean isVisible(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.componentType();
        }
        return !element.getName().startsWith("io.jfabric.") || exported.contains(element.getPackageName());
    }

    boolean isExported(Class<?> type) {
        return exported.contains(type.getPackageName());
    }

    /** The exported types that an object has. */
    List<Class<?>> typesOf(Object object) {
        return publicTypes.get(object.getClass());
    }
}
