// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Something that is open, as {@link Fabric#openObjects()} lists it. A snapshot, immutable.
 *
 * @param number unique in the process; later objects have higher numbers
 * @param parent the number of what it was opened from; empty for fabrics. Nodes are below the fabric that they open for
 *     themselves, services and callers below their nodes
 * @param kind such as {@code Endpoint}
 * @param description the text of the object itself
 * @param age how long it has been open
 * @param openedHere the stack trace of its opening; of regions and arenas only with {@code -Djfabric.leaks=stack}
 */
public record OpenObject(long number, OptionalLong parent, String kind, String description, Duration age,
        Optional<Throwable> openedHere) {
    private static final String OURS = "io.jfabric.internal.";
    private static final Set<String> DOORS = Set.of("io.jfabric.Fabric", "io.jfabric.async.Node",
            "io.jfabric.async.BufferPool", "io.jfabric.async.Service", "io.jfabric.async.Caller",
            "io.jfabric.async.KeepAlive", "io.jfabric.async.Group");

    /** Checks that nothing is missing. */
    public OpenObject {
        Objects.requireNonNull(parent, "parent");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(age, "age");
        Objects.requireNonNull(openedHere, "openedHere");
    }

    /**
     * The place outside jfabric where it was opened.
     *
     * @return such as {@code com.example.Server.start(Server.java:42)}; empty where it was not kept
     */
    public Optional<String> place() {
        return openedHere.flatMap(trace -> {
            List<StackTraceElement> theirs = Stream.of(trace.getStackTrace()).filter(frame -> !isOurs(frame)).toList();
            // what is opened within a map of ours is not opened by the map
            return theirs.stream().filter(frame -> !isJdks(frame)).findFirst().or(() -> theirs.stream().findFirst())
                    .map(StackTraceElement::toString);
        });
    }

    private static boolean isOurs(StackTraceElement frame) {
        return frame.getClassName().startsWith(OURS) || DOORS.contains(frame.getClassName());
    }

    private static boolean isJdks(StackTraceElement frame) {
        return frame.getClassName().startsWith("java.") || frame.getClassName().startsWith("jdk.");
    }

    /**
     * What is open, as an indented text: each object below what it was opened from, with its age and place.
     *
     * @param objects such as {@link Fabric#openObjects()}
     * @return one line for each; empty for none
     */
    public static String tree(Collection<OpenObject> objects) {
        Objects.requireNonNull(objects, "OpenObject.tree: the objects are null");
        Map<Long, List<OpenObject>> children = new HashMap<>();
        Set<Long> numbers = new HashSet<>();
        for (OpenObject object : objects) {
            numbers.add(Objects.requireNonNull(object, "OpenObject.tree: one of the objects is null").number());
            object.parent().ifPresent(above -> children.computeIfAbsent(above, n -> new ArrayList<>()).add(object));
        }
        StringBuilder text = new StringBuilder();
        for (OpenObject object : objects) {
            if (object.parent().isEmpty() || !numbers.contains(object.parent().getAsLong())) {
                append(text, object, children, "");
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, OpenObject object, Map<Long, List<OpenObject>> children,
            String indent) {
        text.append(indent).append(object).append(System.lineSeparator());
        for (OpenObject child : children.getOrDefault(object.number(), List.of())) {
            append(text, child, children, indent + "  ");
        }
    }

    /** One line for people. */
    @Override
    public String toString() {
        return description + ", open for " + (age.toSeconds() > 0 ? age.toSeconds() + " s" : age.toMillis() + " ms")
                + place().map(place -> ", opened at " + place).orElse("");
    }
}
