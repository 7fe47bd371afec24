// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.internal.clock.Ticks;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** A program whose loggers throw: the JVM of {@link FailingLogTest}. */
public final class FailingLog implements SLF4JServiceProvider {
    private static final AtomicInteger LINES = new AtomicInteger();

    private static final class Failing extends AbstractLogger {
        private static final long serialVersionUID = 1;

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isTraceEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled(Marker marker) {
            return true;
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(Level level, Marker marker, String text, Object[] arguments,
                Throwable failure) {
            LINES.incrementAndGet();
            throw new IllegalStateException("the log is closed");
        }
    }

    public static void main(String[] args) throws Exception {
        try (Pair pair = Pair.open(Providers.SHM)) {
            AtomicInteger run = new AtomicInteger();
            Completing.runAll(List.of(() -> {
                throw new IllegalStateException("a handler of the program's");
            }, run::incrementAndGet));
            System.out.println("behind a failed handler: " + run.get());
            CountDownLatch ticks = new CountDownLatch(3);
            Future<?> ticking = Ticks.every(1, () -> {
                ticks.countDown();
                throw new IllegalStateException("what happens by the clock");
            });
            System.out.println("the clock goes on: " + ticks.await(10, TimeUnit.SECONDS));
            ticking.cancel(false);
            System.out.println("open: " + pair.domain.isOpen());
        }
        System.out.println("closed, with lines that failed: " + (LINES.get() > 4));
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> new Failing();
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return new BasicMarkerFactory();
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return new NOPMDCAdapter();
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        // nothing to prepare
    }
}
