// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** For JVMs that this one starts: the tests run as a module, patched with classes that are in none of its paths. */
final class ClassPath {
    private ClassPath() {
    }

    static String get() {
        Set<String> path = new LinkedHashSet<>();
        String file = ClassPath.class.getName().replace('.', '/') + ".class";
        try {
            String here = Path.of(ClassPath.class.getResource('/' + file).toURI()).toString();
            path.add(here.substring(0, here.length() - file.length()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            Arrays.stream(System.getProperty(property, "").split(File.pathSeparator)).filter(p -> !p.isEmpty())
                    .map(p -> Path.of(p).toAbsolutePath().toString()).forEach(path::add);
        }
        return String.join(File.pathSeparator, path);
    }
}
