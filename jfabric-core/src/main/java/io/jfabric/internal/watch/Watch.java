// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.watch;

/**
 * The Flight Recorder's events, from wherever something happens that is seldom or goes wrong. Costs a test of a flag
 * while nobody records, and nothing where the JVM has no module {@code jdk.jfr}. Any thread.
 */
public final class Watch {
    private static final boolean THERE = isThere();

    private Watch() {
    }

    /** Event classes cannot be loaded without that module. */
    private static boolean isThere() {
        return ModuleLayer.boot().findModule("jdk.jfr")
                .filter(jfr -> !Watch.class.getModule().isNamed() || Watch.class.getModule().canRead(jfr)).isPresent();
    }

    /** Whether somebody records, or did. No event class is loaded before: see {@link Recorder}. */
    private static boolean records() {
        return THERE && Recorder.runs();
    }

    /**
     * An object was opened.
     *
     * @param number its own, for as long as the process lives
     * @param parent the number of what it was opened from; -1 for none
     */
    public static void opened(String kind, long number, long parent) {
        if (records()) {
            OpenEvent.emit(kind, number, parent);
        }
    }

    /**
     * An object was closed.
     *
     * @param since when it was opened, by {@link System#nanoTime}
     */
    public static void closed(String kind, long number, long since) {
        if (records()) {
            CloseEvent.emit(kind, number, since);
        }
    }

    /** Begins to time a registration; null while nobody wants to know. */
    public static Object registering() {
        return records() ? RegistrationEvent.start() : null;
    }

    /** A registration that {@link #registering} timed is done. */
    public static void registered(Object timer, long bytes, long key) {
        if (THERE && timer instanceof RegistrationEvent event) {
            event.end(bytes, key);
        }
    }

    /** An operation ended with an error. */
    public static void failed(Object endpoint, long context, int errno, String text) {
        if (records()) {
            ErrorEvent.emit(endpoint, context, errno, text);
        }
    }

    /** The provider answered "again". */
    public static void busy(Object endpoint, String operation) {
        if (records()) {
            BusyEvent.emit(endpoint, operation);
        }
    }

    /** The time for {@link #isSlow}, if somebody records operations that take long; else 0. */
    public static long startOfOperation() {
        return records() && SlowOperationEvent.isWanted() ? System.nanoTime() : 0;
    }

    /**
     * Whether an operation that ends now has taken long: 10 milliseconds, or {@code -Djfabric.slowMicros}.
     *
     * @param start what {@link #startOfOperation} said
     */
    public static boolean isSlow(long start) {
        return THERE && start != 0 && SlowOperationEvent.isSlow(System.nanoTime() - start);
    }

    /** Such an operation has ended, with or without success. */
    public static void slow(Object endpoint, String operation, long start) {
        if (records()) {
            SlowOperationEvent.emit(endpoint, operation, System.nanoTime() - start);
        }
    }

    /** A domain was opened: has the counts of all that are open recorded now and then, while somebody records. */
    public static void domainOpened(Runnable emitsAll) {
        if (THERE) {
            Recorder.domainOpened(emitsAll);
        }
    }

    /** After {@link #domainOpened}. */
    public static void domainClosed() {
        if (THERE) {
            Recorder.domainClosed();
        }
    }

    /** The counts of an open domain, from within what {@link #domainOpened} got. */
    public static void counts(String domain, long posted, long completed, long errors, long busy, long underWay,
            long registeredBytes) {
        if (records()) {
            CountsEvent.emit(domain, posted, completed, errors, busy, underWay, registeredBytes);
        }
    }
}
