// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Fabric;
import io.jfabric.async.Node;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What may be null says so, in all that users see. */
class NullnessTest {
    @Test
    void everyExportedPackageIsNullMarked() throws ClassNotFoundException {
        var exported = Fabric.class.getModule().getDescriptor().exports().stream()
                .filter(export -> !export.isQualified()).map(ModuleDescriptor.Exports::source).toList();
        assertThat(exported).hasSizeGreaterThan(5);
        for (String name : exported) {
            Class<?> info = Class.forName(name + ".package-info");
            assertThat(info.isAnnotationPresent(NullMarked.class)).as(name).isTrue();
        }
    }

    /** What they give is null. Kotlin refuses that at run time where it is not said. */
    @Test
    void futuresWithoutAResultSaySo() throws Exception {
        List<Method> futures = new ArrayList<>();
        Path folder = Path.of(Node.class.getResource("Node.class").toURI()).getParent();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.class")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".class", "");
                Arrays.stream(Class.forName(Node.class.getPackageName() + "." + name).getDeclaredMethods())
                        .filter(method -> method.getReturnType() == CompletableFuture.class
                                && !Modifier.isPrivate(method.getModifiers())).forEach(futures::add);
            }
        }
        assertThat(futures).hasSizeGreaterThan(50)
                .noneMatch(method -> !method.isSynthetic() && isUnsaid(method.getAnnotatedReturnType()));
    }

    private static boolean isUnsaid(AnnotatedType result) {
        return result instanceof AnnotatedParameterizedType future
                && Arrays.stream(future.getAnnotatedActualTypeArguments()).anyMatch(argument ->
                        argument.getType() == Void.class && !argument.isAnnotationPresent(Nullable.class));
    }
}
