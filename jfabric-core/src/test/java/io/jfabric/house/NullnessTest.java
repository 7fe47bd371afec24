// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.jfabric.Fabric;
import io.jfabric.async.Node;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.util.Arrays;
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
    void futuresWithoutAResultSaySo() {
        var unsaid = new ClassFileImporter().importPackagesOf(Node.class).stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> Arrays.stream(type.reflect().getDeclaredMethods()))
                .filter(method -> !method.isSynthetic() && isUnsaid(method.getAnnotatedReturnType())).toList();
        assertThat(unsaid).isEmpty();
        assertThat(Arrays.stream(Node.class.getMethods()).map(Method::getGenericReturnType).map(Object::toString))
                .contains("java.util.concurrent.CompletableFuture<java.lang.Void>");
    }

    private static boolean isUnsaid(AnnotatedType result) {
        return result instanceof AnnotatedParameterizedType future
                && Arrays.stream(future.getAnnotatedActualTypeArguments()).anyMatch(argument ->
                        argument.getType() == Void.class && !argument.isAnnotationPresent(Nullable.class));
    }
}
