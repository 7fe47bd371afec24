// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/** What this process has of the machine. Linux only, as libfabric's providers here are. */
final class Resources {
    private static final Pattern CHANGED = Pattern.compile(
            "-\\s+([A-Z][A-Za-z ]+?) \\(reserved=[^)]*committed=\\d+KB ([+-]\\d+)KB\\)");
    private static final int LOOKS = 10;
    private static final int PAUSE_MILLIS = 20;

    private Resources() {
    }

    /** Resident memory now, in KiB. */
    static long resident() {
        return field("VmRSS:");
    }

    /** Remembers what the JVM itself has, for {@link #difference}. */
    static void baseline() throws JMException {
        nativeMemory("baseline");
    }

    /** What the JVM itself has more or less of than at the baseline, in KiB committed; other memory is libfabric's. */
    static String difference() throws JMException {
        StringBuilder all = new StringBuilder();
        Matcher matcher = CHANGED.matcher(nativeMemory("summary.diff"));
        while (matcher.find()) {
            all.append(all.isEmpty() ? "" : ", ").append(matcher.group(1)).append(' ').append(matcher.group(2));
        }
        return all.isEmpty() ? "nothing" : all.toString();
    }

    private static String nativeMemory(String what) throws JMException {
        return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmNativeMemory",
                new Object[] {new String[] {what}}, new String[] {String[].class.getName()});
    }

    /** Shared memory and files among {@link #resident}, now. */
    static long shared() {
        return field("RssShmem:") + field("RssFile:");
    }

    /** How many file descriptors stay open: others are of threads that read a file at the moment. */
    static long descriptors() throws InterruptedException {
        long fewest = Long.MAX_VALUE;
        for (int look = 0; look < LOOKS; look++) {
            Thread.sleep(PAUSE_MILLIS);
            fewest = Math.min(fewest, descriptorsNow());
        }
        return fewest;
    }

    private static long descriptorsNow() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long field(String name) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String line = lines.filter(text -> text.startsWith(name)).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("[^0-9]", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
