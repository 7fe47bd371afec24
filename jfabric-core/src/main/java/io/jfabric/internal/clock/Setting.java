// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import io.jfabric.Fabric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A number that the user of a program may set, by a system property whose name tells the unit. */
public final class Setting {
    private static final Logger LOG = LoggerFactory.getLogger(Fabric.class);

    private Setting() {
    }

    /** The property's value, or the default if it is not set, or is no such number, which the log says. */
    public static long number(String property, long unset) {
        String value = System.getProperty(property, "").strip();
        if (value.isEmpty()) {
            return unset;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        LOG.warn("-D{}={} is not a whole number of 0 or more, and is ignored: {} is used", property, value, unset);
        return unset;
    }
}
