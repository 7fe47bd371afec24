// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.ffi.Arguments;

/**
 * A version of libfabric, of its API or of a provider ({@code FI_VERSION(major, minor)}).
 *
 * @param major the major number, 0 to 65535
 * @param minor the minor number, 0 to 65535
 */
public record Version(int major, int minor) implements Comparable<Version> {
    /** Checks the ranges. */
    public Version {
        if ((major | minor) >>> 16 != 0) {
            throw new IllegalArgumentException("version numbers are 0 to 65535, not " + major + "." + minor);
        }
    }

    /**
     * Unpacks the form C uses.
     *
     * @param code major in the upper, minor in the lower 16 bits
     * @return the version
     */
    public static Version ofCode(int code) {
        return new Version(code >>> 16, code & 0xFFFF);
    }

    /**
     * Packs the version as C does ({@code FI_VERSION}).
     *
     * @return major in the upper, minor in the lower 16 bits
     */
    public int code() {
        return major << 16 | minor;
    }

    /**
     * Tells whether this version has what {@code other} brought.
     *
     * @param other the version asked for
     * @return true if this version is the same or newer
     */
    public boolean atLeast(Version other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(Version other) {
        return Integer.compareUnsigned(code(), Arguments.given(other, "Version", "the other version").code());
    }

    /** The usual form, such as {@code 2.1}. */
    @Override
    public String toString() {
        return major + "." + minor;
    }
}
