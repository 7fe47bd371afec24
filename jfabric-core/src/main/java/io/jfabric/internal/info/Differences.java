// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The differences between infos that have the same summary, for people. */
final class Differences {
    private static final Pattern FLAG = Pattern.compile("FI_\\w+");
    private static final Pattern HEADING = Pattern.compile("fi_(\\w+)_attr:");

    private Differences() {
    }

    /** Compares libfabric's own texts: how the second differs from the first. Empty if it is the same again. */
    static String between(String first, String second) {
        List<String> added = without(lines(second), lines(first));
        List<String> flags = without(flags(second), flags(first));
        List<String> gone = without(flags(first), flags(second));
        boolean flagsSayIt = !flags.isEmpty() || !gone.isEmpty();
        return Stream.of(flags.stream().map(flag -> "with " + flag), gone.stream().map(flag -> "without " + flag),
                        added.stream().filter(line -> !isOfFlags(line) || !flagsSayIt))
                .flatMap(all -> all).collect(Collectors.joining(", "));
    }

    private static boolean isOfFlags(String line) {
        return line.contains("[");
    }

    /** With the attributes that they belong to, as both contexts have a size. */
    private static Set<String> lines(String text) {
        Set<String> lines = new LinkedHashSet<>();
        String section = "";
        for (String line : text.lines().map(String::strip).toList()) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                section = heading.group(1) + " ";
            } else {
                lines.add(section + line);
            }
        }
        return lines;
    }

    private static Set<String> flags(String text) {
        return text.lines().filter(Differences::isOfFlags).flatMap(line -> FLAG.matcher(line).results())
                .map(found -> found.group()).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static List<String> without(Set<String> all, Set<String> others) {
        return all.stream().filter(one -> !others.contains(one)).toList();
    }
}
