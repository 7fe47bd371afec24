// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.util.List;
import java.util.Objects;

/** Checks that arguments are there. What is missing is named together with the operation. */
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
