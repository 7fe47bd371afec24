// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.domain.FabricLogImpl;

/**
 * libfabric's own log lines in SLF4J, instead of on stderr. This has to be asked for: each line that libfabric emits
 * enters Java in the thread that logs, which may hold locks of libfabric's or of the provider's. So what the lines are
 * logged with, such as an appender, must not call jfabric, nor wait for a thread that does: the process would hang.
 *
 * <p>Loggers are named {@code io.jfabric.native.PROVIDER.SUBSYSTEM}, such as {@code io.jfabric.native.tcp.EP_CTRL}.
 * libfabric decides once, when it starts, what it emits: by {@code FI_LOG_LEVEL}, {@code FI_LOG_PROV} and
 * {@code FI_LOG_SUBSYS}; without a level it emits nothing. So redirect with a level, before any other call.
 * Thread-safe.
 */
public sealed interface FabricLog extends AutoCloseable permits FabricLogImpl {
    /** How much libfabric logs ({@code FI_LOG_LEVEL}), in order; each includes those before. */
    enum Verbosity {
        /** What went wrong: SLF4J's WARN. */
        WARN,
        /** What the providers do, in short: SLF4J's INFO. */
        TRACE,
        /** How providers are chosen and set up: SLF4J's INFO. */
        INFO,
        /** Everything, where libfabric was built for debugging: SLF4J's DEBUG. */
        DEBUG
    }

    /**
     * Takes the log lines, as many as the environment says ({@code fi_import_log}).
     *
     * @return the redirection, to be closed; the VM's exit closes it, too
     * @throws FabricException {@code FI_EALREADY} if they are redirected already
     */
    static FabricLog redirect() {
        return FabricLogImpl.redirect();
    }

    /**
     * Takes the log lines ({@code fi_import_log}) and says how many to emit. What {@code FI_LOG_LEVEL} says in
     * the environment of the process takes precedence.
     *
     * @param verbosity how much
     * @return the redirection, to be closed; the VM's exit closes it, too
     * @throws IllegalStateException if libfabric has started already, and with another level
     */
    static FabricLog redirect(Verbosity verbosity) {
        return FabricLogImpl.redirect(verbosity);
    }

    /** Sends the lines to stderr again. */
    @Override
    void close();
}
