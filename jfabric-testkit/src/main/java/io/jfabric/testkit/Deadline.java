// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long the kit waits for anything. */
final class Deadline {
    static final String PROPERTY = "jfabric.testkit.deadlineSeconds";
    private static final Logger LOG = LoggerFactory.getLogger(Deadline.class);
    private static final Duration UNSET = Duration.ofSeconds(30);
    /** Longer than any test, and short enough to be told in nanoseconds. */
    private static final long MOST = Duration.ofDays(365).toSeconds();

    private Deadline() {
    }

    static Duration fromProperty() {
        return of(System.getProperty(PROPERTY));
    }

    static Duration of(String seconds) {
        if (seconds == null) {
            return UNSET;
        }
        try {
            long number = Long.parseLong(seconds.strip());
            if (number >= 1 && number <= MOST) {
                return Duration.ofSeconds(number);
            }
        } catch (NumberFormatException unclear) {
            // told below
        }
        LOG.warn("-D{}={} is not a whole number from 1 to {}, and is ignored: {} is used", PROPERTY, seconds, MOST,
                UNSET.toSeconds());
        return UNSET;
    }
}
