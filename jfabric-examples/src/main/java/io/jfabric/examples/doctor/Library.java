// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

import io.jfabric.Fabric;
import io.jfabric.info.Parameter;
import io.jfabric.info.Provider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Which libfabric was found, and how. */
final class Library {
    private Library() {
    }

    private static String how() {
        if (!System.getProperty("jfabric.library", "").isEmpty()) {
            return "named by -Djfabric.library";
        }
        if (!System.getenv().getOrDefault("JFABRIC_LIBRARY", "").isEmpty()) {
            return "named by JFABRIC_LIBRARY";
        }
        if (Fabric.libraryPath().contains("/jfabric-native-")) {
            return "from a jar of scripts/bundle-native";
        }
        return "found by the dynamic linker, or in a usual directory";
    }

    static List<Check> checks() {
        Check jfabric = Check.ok("jfabric", Fabric.jfabricVersion());
        if (!Fabric.isAvailable()) {
            return List.of(jfabric, Check.wrong("library", Fabric.unavailabilityCause().orElseThrow().getMessage(),
                    "install libfabric 1.17 or newer, or name it: -Djfabric.library=PATH or JFABRIC_LIBRARY=PATH"));
        }
        List<Check> checks = new ArrayList<>();
        checks.add(jfabric);
        checks.add(Check.ok("library", Fabric.libraryPath() + ", " + how()));
        checks.add(Check.ok("version", Fabric.versionText() + ", asked for " + Fabric.apiVersion()));
        // those too that FI_PROVIDER leaves out
        checks.add(Check.ok("providers", Fabric.providers().stream().map(Provider::name)
                .collect(Collectors.joining(", "))));
        String set = Fabric.parameters().stream().filter(parameter -> parameter.value().isPresent())
                .map(parameter -> parameter.name() + "=" + parameter.value().orElseThrow())
                .collect(Collectors.joining(", "));
        checks.add(Check.ok("parameters", set.isEmpty() ? "no FI_* variable is set" : set));
        checks.add(monitor());
        return checks;
    }

    /** A cache of registrations is right only if somebody tells when memory is given back. */
    private static Check monitor() {
        String name = "FI_MR_CACHE_MONITOR";
        String asked = Fabric.parameters().stream().filter(parameter -> parameter.name().equalsIgnoreCase(name))
                .findFirst().flatMap(Parameter::value).orElse("its default");
        boolean userfault = Files.exists(Path.of("/dev/userfaultfd"))
                || Proc.text("/proc/sys/vm/unprivileged_userfaultfd").filter("1"::equals).isPresent();
        String found = name + ": " + asked + "; userfaultfd " + (userfault ? "may be used" : "is for root only");
        return asked.equals("memhooks") ? Check.warning("registration-monitor", found, "memhooks does not see memory "
                + "that the JVM unmaps: use userfaultfd, or FI_MR_CACHE_MONITOR=disabled")
                : Check.ok("registration-monitor", found);
    }
}
