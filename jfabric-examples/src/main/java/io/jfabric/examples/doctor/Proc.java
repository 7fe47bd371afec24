// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the kernel tells in files; what it does not tell is empty. */
final class Proc {
    private Proc() {
    }

    static Optional<String> text(String file) {
        try {
            return Optional.of(Files.readString(Path.of(file)).strip());
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    static List<String> lines(String file) {
        return text(file).map(String::lines).map(lines -> lines.toList()).orElse(List.of());
    }

    /** The rest of the line that begins so. */
    static Optional<String> line(String file, String start) {
        return lines(file).stream().filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip()).findFirst();
    }

    /** The names in a directory. */
    static List<String> names(String directory) {
        String[] names = Path.of(directory).toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    /** The file that is mapped at an address. */
    static Optional<String> mappedAt(long address) {
        for (String line : lines("/proc/self/maps")) {
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            long from = Long.parseUnsignedLong(line.substring(0, dash), 16);
            long to = Long.parseUnsignedLong(line.substring(dash + 1, space), 16);
            if (Long.compareUnsigned(address, from) >= 0 && Long.compareUnsigned(address, to) < 0) {
                int slash = line.indexOf('/');
                return Optional.of(slash < 0 ? "memory without a name" : line.substring(slash));
            }
        }
        return Optional.empty();
    }

    /** Bytes for people. */
    static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        long value = bytes;
        while (unit < units.length - 1 && value >= 10_240) {
            value >>= 10;
            unit++;
        }
        return value + " " + units[unit];
    }
}
