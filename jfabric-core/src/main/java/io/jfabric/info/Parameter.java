// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import java.util.Optional;

/**
 * A run-time parameter of libfabric or one of its providers ({@code struct fi_param}).
 *
 * @param name name of the environment variable, such as {@code FI_PROVIDER}
 * @param type what its value looks like
 * @param help what it does
 * @param value what the environment sets it to; empty when it is not set
 */
public record Parameter(String name, Type type, String help, Optional<String> value) {
    /** What the value of a parameter looks like ({@code enum fi_param_type}). */
    public enum Type {
        /** Text. */
        STRING,
        /** A number of 32 bits. */
        INT,
        /** A yes or no. */
        BOOL,
        /** A size. */
        SIZE_T,
        /** One of a kind that jfabric does not know. */
        UNRECOGNIZED
    }
}
