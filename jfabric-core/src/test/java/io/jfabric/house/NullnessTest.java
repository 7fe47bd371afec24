// SPDX-License-Identifier: Apache-2.0
package io.jfabric.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Fabric;
import java.lang.module.ModuleDescriptor;
import org.jspecify.annotations.NullMarked;
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
}
