// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.Errno;
import io.jfabric.ffi.LibC;
import io.jfabric.ffi.LogImport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * libfabric's own log lines in slf4j, instead of on stderr. Opt-in: each line that libfabric emits enters Java in the
 * thread that logs, which may hold locks of the provider.
 *
 * <p>Loggers are named {@code io.jfabric.native.PROVIDER.SUBSYSTEM}, such as {@code io.jfabric.native.tcp.EP_CTRL}.
 * What is emitted at all libfabric decides once, when it starts: by {@code FI_LOG_LEVEL}, {@code FI_LOG_PROV} and
 * {@code FI_LOG_SUBSYS}, and without a level nothing is. So redirect before the first other call, with a level.
 * Thread-safe.
 */
public final class FabricLog implements AutoCloseable {
    private static final List<String> SUBSYSTEMS = List.of("CORE", "FABRIC", "DOMAIN", "EP_CTRL", "EP_DATA", "AV", "CQ",
            "EQ", "MR", "CNTR");

    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final Thread atExit = new Thread(this::stop, "jfabric-log-close");
    private boolean open = true;

    /** How much libfabric logs ({@code FI_LOG_LEVEL}), in order; each includes those before. */
    public enum Verbosity {
        /** What went wrong: slf4j's WARN. */
        WARN,
        /** What the providers do, in short: slf4j's INFO. */
        TRACE,
        /** How providers are chosen and set up: slf4j's INFO. */
        INFO,
        /** Everything, where libfabric was built for debugging: slf4j's DEBUG. */
        DEBUG
    }

    private FabricLog() {
    }

    /**
     * Takes the log lines, as many as the environment says ({@code fi_import_log}).
     *
     * @return closes the redirection; the VM's exit does so too
     * @throws FabricException {@code FI_EALREADY} if they are redirected already
     */
    public static FabricLog redirect() {
        FabricLog log = new FabricLog();
        int result = LogImport.open(log::line);
        if (result < 0) {
            throw FabricException.of("fi_import_log", result, result == -Errno.EALREADY
                    ? "libfabric's log is redirected already; close that redirection first" : null);
        }
        // libfabric logs in its destructor, when no thread can enter Java any more
        Runtime.getRuntime().addShutdownHook(log.atExit);
        return log;
    }

    /**
     * Takes the log lines ({@code fi_import_log}) and says how many there shall be. What {@code FI_LOG_LEVEL} says in
     * the environment has precedence.
     *
     * @param verbosity how much
     * @return closes the redirection; the VM's exit does so too
     * @throws IllegalStateException if libfabric has started already, and with another level
     */
    public static FabricLog redirect(Verbosity verbosity) {
        String level = Objects.requireNonNull(verbosity, "verbosity").name().toLowerCase(Locale.ROOT);
        if (LibC.getenv("FI_LOG_LEVEL") == null) {
            Fabric.setParameter("FI_LOG_LEVEL", level);
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

    /** Sends the lines to stderr again. */
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
