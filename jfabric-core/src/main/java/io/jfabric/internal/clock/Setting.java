// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import io.jfabric.Fabric;
import io.jfabric.internal.ffi.Log;
import java.util.List;

/** System properties for the users of a program; the log says if a value is not allowed. */
public final class Setting {
    private static final Log LOG = Log.of(Fabric.class);

    private Setting() {
    }

    /** Whether it is {@code true} or empty, as after {@code -Dproperty} alone. */
    public static boolean isOn(String property) {
        String value = System.getProperty(property, "false").strip();
        if (value.isEmpty() || value.equalsIgnoreCase("true")) {
            return true;
        }
        if (!value.equalsIgnoreCase("false")) {
            LOG.warn("-D{}={} is neither true nor false, and is ignored: it stays off", property, value);
        }
        return false;
    }

    /** The one of these words that it is set to, or an empty string. */
    public static String word(String property, String... words) {
        String value = System.getProperty(property, "").strip();
        if (!value.isEmpty() && !List.of(words).contains(value)) {
            LOG.warn("-D{}={} is none of {}, and is ignored", property, value, List.of(words));
            return "";
        }
        return value;
    }

    /** A whole number; its unit is in the property's name. */
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
