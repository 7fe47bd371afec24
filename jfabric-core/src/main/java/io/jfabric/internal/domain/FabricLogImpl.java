// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.domain;

import io.jfabric.FabricException;
import io.jfabric.FabricLog;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.library.LogImport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** {@link FabricLog}. */
public final class FabricLogImpl implements FabricLog {
    private static final List<String> SUBSYSTEMS = List.of("CORE", "FABRIC", "DOMAIN", "EP_CTRL", "EP_DATA", "AV", "CQ",
            "EQ", "MR", "CNTR");

    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final Thread atExit = new Thread(this::stop, "jfabric-log-close");
    private boolean open = true;

    private FabricLogImpl() {
    }

    public static FabricLogImpl redirect() {
        FabricLogImpl log = new FabricLogImpl();
        int result = LogImport.open(log::line);
        if (result < 0) {
            throw FabricException.of("fi_import_log", result, result == -Errno.EALREADY
                    ? "libfabric's log is redirected already; close that redirection first" : null);
        }
        // libfabric logs in its destructor, when no thread can enter Java any more
        try {
            Runtime.getRuntime().addShutdownHook(log.atExit);
        } catch (IllegalStateException exiting) {
            log.stop();
            throw new IllegalStateException("fi_import_log: the JVM is ending, and libfabric's log can no longer be "
                    + "redirected", exiting);
        }
        return log;
    }

    public static FabricLogImpl redirect(Verbosity verbosity) {
        String level = Objects.requireNonNull(verbosity, "verbosity").name().toLowerCase(Locale.ROOT);
        // a level that is set, but not in Java's copy of the environment, is from here, or from the program
        if (System.getenv("FI_LOG_LEVEL") == null && !level.equals(LibC.getenv("FI_LOG_LEVEL"))) {
            FabricImpl.setParameter("FI_LOG_LEVEL", level);
        }
        return redirect();
    }

    private void line(String provider, int level, int subsystem, String function, int line, String message) {
        String name = "io.jfabric.native." + provider.replace('.', '_') + '.'
                + (subsystem >= 0 && subsystem < SUBSYSTEMS.size() ? SUBSYSTEMS.get(subsystem) : "" + subsystem);
        loggers.computeIfAbsent(name, LoggerFactory::getLogger)
                .atLevel(levelOf(level)).log("{} ({}:{})", message, function, line);
    }

    // libfabric's order is WARN, TRACE, INFO, DEBUG
    private static Level levelOf(int level) {
        return switch (level) {
            case 0 -> Level.WARN;
            case 1, 2 -> Level.INFO;
            default -> Level.DEBUG;
        };
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // then the hook runs, and finds nothing to do
        }
    }

    private synchronized void stop() {
        if (open) {
            open = false;
            LogImport.close();
        }
    }
}
