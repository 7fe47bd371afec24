// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import io.jfabric.Fabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the figures were measured on. */
public final class Machine {
    private Machine() {
    }

    /** CPUs, kernel, libfabric, JDK and its flags. */
    public static String describe() {
        String cpu = "CPU of unknown model";
        try {
            cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream().filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 2)).findFirst().orElse(cpu);
        } catch (IOException e) {
            // no Linux
        }
        return Runtime.getRuntime().availableProcessors() + " CPUs (" + cpu + "), " + System.getProperty("os.name")
                + " " + System.getProperty("os.version").replaceAll("[^0-9.].*", "") + ", libfabric "
                + Fabric.version() + ", JDK " + System.getProperty("java.version") + ", "
                + System.getProperty("bench.flags", "").trim();
    }
}
