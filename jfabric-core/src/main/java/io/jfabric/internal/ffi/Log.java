// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A logger that never throws: what follows a line of the log must happen, however the program logs, and also if there
 * is no memory or stack left for that. Text and arguments as with slf4j. Any thread.
 */
public final class Log {
    private final Logger logger;

    private Log(Logger logger) {
        this.logger = logger;
    }

    /** What the program configures by the name of this class. */
    public static Log of(Class<?> type) {
        return of(type.getName());
    }

    /** What the program configures by this name. */
    public static Log of(String name) {
        return new Log(LoggerFactory.getLogger(name));
    }

    /** At level ERROR. */
    public void error(String text, Throwable failure) {
        try {
            logger.error(text, failure);
        } catch (Throwable again) {
            // there is nobody to tell
        }
    }

    /** At level ERROR. */
    public void error(String text, Object... arguments) {
        try {
            logger.error(text, arguments);
        } catch (Throwable again) {
            // there is nobody to tell
        }
    }

    /** At level WARN. */
    public void warn(String text, Throwable failure) {
        try {
            logger.warn(text, failure);
        } catch (Throwable again) {
            // there is nobody to tell
        }
    }

    /** At level WARN. */
    public void warn(String text, Object... arguments) {
        try {
            logger.warn(text, arguments);
        } catch (Throwable again) {
            // there is nobody to tell
        }
    }

    /** At level INFO. */
    public void info(String text, Object... arguments) {
        try {
            logger.info(text, arguments);
        } catch (Throwable again) {
            // there is nobody to tell
        }
    }

    /** At level DEBUG. */
    public void debug(String text, Throwable failure) {
        try {
            logger.debug(text, failure);
        } catch (Throwable again) {
            // there is nobody to tell
        }
    }

    /** At level DEBUG. */
    public void debug(String text, Object... arguments) {
        try {
            logger.debug(text, arguments);
        } catch (Throwable again) {
            // there is nobody to tell
        }
    }

    /** Whether it is worth finding out what to say at level INFO. */
    public boolean isInfoEnabled() {
        try {
            return logger.isInfoEnabled();
        } catch (Throwable again) {
            return false;
        }
    }
}
