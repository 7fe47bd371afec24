// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Checks that arguments are there and in range. Those that are not are named together with the operation. */
public final class Arguments {
    private Arguments() {
    }

    /**
     * The argument itself.
     *
     * @param <T> its type
     * @param value the argument
     * @param operation the function or method, for the message
     * @param name the argument, for the message
     * @return the argument, which is not null
     */
    public static <T> T given(T value, String operation, String name) {
        if (value == null) {
            throw new NullPointerException(operation + ": " + name + " is null");
        }
        return value;
    }

    /** Checks that a duration is given and more than 0, and returns it. */
    public static Duration deadline(Duration duration, String operation, String name) {
        if (!given(duration, operation, name).isPositive()) {
            throw new IllegalArgumentException(operation + ": " + name + " " + Seconds.text(duration)
                    + " must be more than 0; use NodeOptions.NO_DEADLINE for no limit");
        }
        return duration;
    }

    /** Checks that a number is within bounds, which are included. */
    public static void range(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "%s: %d is not between %,d and %,d", name,
                    value, least, most));
        }
    }

    /** Checks that a duration is given and not negative, and returns it. */
    public static Duration notNegative(Duration duration, String operation, String name) {
        if (given(duration, operation, name).isNegative()) {
            throw new IllegalArgumentException(operation + ": " + name + " " + Seconds.text(duration)
                    + " is negative");
        }
        return duration;
    }

    /**
     * Several of a kind.
     *
     * @param <T> their type
     * @param operation the function or method, for the message
     * @param name one of the arguments, for the message
     * @param values the arguments
     * @return the arguments, none of which is null
     */
    public static <T> List<T> all(String operation, String name, T[] values) {
        for (T value : given(values, operation, name)) {
            Objects.requireNonNull(value, () -> operation + ": " + name + " is null, one of several");
        }
        return List.of(values);
    }
}
