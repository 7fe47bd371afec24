// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.Domain;
import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.ffi.Cleaners;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.quirk.Quirk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The domains of this process: memory of one may be used in any. Any thread. */
public final class OpenDomains {
    private static final Log LOG = Log.of(Domain.class);
    private static final Set<DomainState> OPEN = Collections.newSetFromMap(new WeakHashMap<>());

    /** Also those of forgotten domains: what their operations use is their providers' for good. */
    private static final Set<ContextRegistry> CONTEXTS = ConcurrentHashMap.newKeySet();

    /** Whether the next garbage collection is waited for. Under the lock of {@link #OPEN}. */
    private static boolean waits;

    private OpenDomains() {
    }

    static void add(DomainState domain) {
        CONTEXTS.add(domain.contexts());
        synchronized (OPEN) {
            OPEN.add(domain);
            if (!waits) {
                waits = true;
                afterCollection();
            }
        }
    }

    static void remove(DomainState domain) {
        synchronized (OPEN) {
            OPEN.remove(domain);
        }
        CONTEXTS.remove(domain.contexts());
    }

    /** After each garbage collection, lets go of what only threads that have ended still keep. */
    private static void afterCollection() {
        Cleaners.SHARED.register(new Object(), () -> {
            CONTEXTS.forEach(ContextRegistry::letGoOfDeadThreads);
            synchronized (OPEN) {
                // what waits keeps jfabric loaded
                waits = !CONTEXTS.isEmpty();
                if (waits) {
                    afterCollection();
                }
            }
        });
    }

    private static List<DomainState> all() {
        synchronized (OPEN) {
            return new ArrayList<>(OPEN);
        }
    }

    /** Whether there are domains that {@link FidObject#exclusively} of this one does not keep threads out of. */
    public static boolean areElsewhere(DomainState domain) {
        return all().stream().anyMatch(other -> !areOneFamily(domain, other));
    }

    private static boolean areOneFamily(DomainState one, DomainState other) {
        return one.domain().fabric() == other.domain().fabric()
                || one.quirks().has(Quirk.PEERS_IN_PROCESS) && other.quirks().has(Quirk.PEERS_IN_PROCESS);
    }

    /** Looks for operations that are over of endpoints that the provider still has, unless threads stay inside. */
    public static void settleParked() {
        try {
            // they are all of one family
            all().stream().filter(domain -> domain.quirks().has(Quirk.PEERS_IN_PROCESS)).findFirst()
                    .ifPresent(domain -> domain.object().exclusively(() -> { }));
        } catch (IllegalStateException threadsStayInside) {
            LOG.debug("no look at the endpoints that libfabric still has", threadsStayInside);
        }
    }

    /** The operations under way of all domains; exact if nobody posts. */
    public static List<String> underWay(Predicate<Object> uses) {
        List<String> found = new ArrayList<>();
        CONTEXTS.forEach(contexts -> found.addAll(contexts.underWay(uses)));
        return found;
    }

    /** The endpoints with raw contexts, of all domains, that the provider has not closed: any may use any memory. */
    public static List<String> rawUsers() {
        List<String> found = new ArrayList<>();
        CONTEXTS.forEach(contexts -> found.addAll(contexts.rawUsers()));
        return found;
    }

    /**
     * Looks at the operations of each domain while no thread is inside it. The caller holds no lock and is in no native
     * call.
     *
     * @return whether all domains could be looked at
     */
    public static boolean eachQuiet(Consumer<ContextRegistry> look) {
        try {
            Set<ContextRegistry> forgotten = new HashSet<>(CONTEXTS);
            for (DomainState domain : all()) {
                domain.object().exclusively(() -> look.accept(domain.contexts()));
                forgotten.remove(domain.contexts());
            }
            forgotten.forEach(look);
            return true;
        } catch (IllegalStateException threadsStayInside) {
            return false;
        }
    }
}
