// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Version;
import io.jfabric.testkit.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How libfabric is found, and what a user reads when it is not. Each in a JVM of its own: loading happens once. */
class LoadingTest {
    /** Prints what there is to know without throwing, then what using libfabric throws. */
    static final class Main {
        private Main() {
        }

        public static void main(String[] args) {
            System.out.println("available " + Fabric.isAvailable());
            System.out.println("cause " + Fabric.unavailabilityCause().map(Throwable::getMessage).orElse("none"));
            try {
                System.out.println("loaded " + Fabric.libraryPath() + ", version " + Fabric.version());
            } catch (UnsatisfiedLinkError e) {
                System.out.println("thrown " + e.getMessage());
            }
            try (FabricInfoList infos = Fabric.getInfo(null)) {
                System.out.println("infos " + infos.size());
            } catch (UnsatisfiedLinkError e) {
                System.out.println("again " + e.getMessage().lines().findFirst().orElseThrow());
            }
        }
    }

    /** What a class file with an annotation of a test has read before anything can say what is wrong. */
    static final class Enums {
        private Enums() {
        }

        public static void main(String[] args) {
            System.out.println("enums " + EndpointType.RDM + " " + Capability.RMA);
            System.out.println("available " + Fabric.isAvailable());
        }
    }

    /** Parameters can be set until libfabric is first asked. */
    static final class Parameters {
        private Parameters() {
        }

        public static void main(String[] args) {
            Fabric.setParameter("FI_PROVIDER", "udp");
            Fabric.setParameter("FI_LOG_LEVEL", null);
            try (FabricInfoList infos = Fabric.getInfo(null)) {
                System.out.println("only udp " + infos.stream().allMatch(i -> i.provider().startsWith("udp")));
            }
            System.out.println("value " + Fabric.parameters().stream().filter(p -> p.name().equals("FI_PROVIDER"))
                    .findFirst().orElseThrow().value().orElse("unset"));
            try {
                Fabric.setParameter("FI_PROVIDER", "tcp");
            } catch (IllegalStateException e) {
                System.out.println("late " + e.getMessage());
            }
        }
    }

    /** libfabric looks for the level when it starts. */
    static final class Levels {
        private Levels() {
        }

        public static void main(String[] args) {
            try {
                System.out.println("found " + Fabric.providers().size());
            } catch (IllegalStateException first) {
                try {
                    Fabric.parameters();
                } catch (IllegalStateException again) {
                    System.out.println("twice refused " + again.getMessage());
                }
            }
        }
    }

    private static ChildJvm.Result run(ChildJvm.Builder child) {
        ChildJvm.Result result = child.run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result;
    }

    @Test
    void aMissingLibraryIsExplained() {
        ChildJvm.Result result = run(ChildJvm.of(Main.class).flags("-Djfabric.library=/nowhere/libfabric.so.1"));
        assertThat(result.output()).contains("available false", "thrown libfabric was not found", "again libfabric")
                .contains("/nowhere/libfabric.so.1: ", "No such file").contains("apt install libfabric1")
                .contains("-Djfabric.library=").contains("JFABRIC_LIBRARY=")
                .contains("Nothing else was tried, because of -Djfabric.library, which says "
                        + "\"/nowhere/libfabric.so.1\"");
    }

    @Test
    void theEnvironmentNamesALibraryToo() {
        ChildJvm.Result result = run(ChildJvm.of(Main.class).environment("JFABRIC_LIBRARY", "/nowhere/else.so"));
        assertThat(result.output()).contains("available false").contains("/nowhere/else.so: ")
                .contains("Nothing else was tried, because of JFABRIC_LIBRARY in the environment");
        result = run(ChildJvm.of(Main.class).environment("JFABRIC_LIBRARY", "/nowhere/else.so")
                .flags("-Djfabric.library=libfabric.so.1"));
        assertThat(result.output()).as("the property comes first").contains("available true", "cause none")
                .containsPattern("loaded /.*/libfabric[.]so[^,]*, version " + Fabric.version());
    }

    @Test
    void aLogLevelThatWouldCrashIsRefused() {
        boolean crashes = Fabric.version().compareTo(new Version(2, 0)) >= 0;
        for (String level : List.of("warning", "")) {
            ChildJvm.Result result = run(ChildJvm.of(Levels.class).environment("FI_LOG_LEVEL", level));
            assertThat(result.output()).contains(crashes ? "twice refused FI_LOG_LEVEL=\"" + level + "\"" : "found");
        }
        assertThat(run(ChildJvm.of(Levels.class).environment("FI_LOG_LEVEL", "WARN")).output()).contains("found");
    }

    @Test
    void anotherLibraryIsNotTakenForLibfabric() {
        ChildJvm.Result result = run(ChildJvm.of(Main.class).flags("-Djfabric.library=libm.so.6"));
        assertThat(result.output()).contains("available false").contains("libm.so.6: not libfabric");
    }

    @Test
    void deniedNativeAccessIsAnsweredWithTheFlag() {
        ChildJvm.Result result = run(ChildJvm.of(Main.class).withoutNativeAccess()
                .flags("--illegal-native-access=deny"));
        assertThat(result.output()).contains("available false")
                .contains("start java with --enable-native-access=ALL-UNNAMED");
    }

    @Test
    void enumsNeedNoNativeAccess() {
        ChildJvm.Result result = run(ChildJvm.of(Enums.class).withoutNativeAccess()
                .flags("--illegal-native-access=deny"));
        assertThat(result.output()).contains("enums RDM RMA", "available false");
    }

    @Test
    void parametersAreSetBeforeTheFirstCall() {
        ChildJvm.Result result = ChildJvm.of(Parameters.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("only udp true", "value udp")
                .contains("late setParameter(FI_PROVIDER): libfabric has already read its parameters");
    }
}
