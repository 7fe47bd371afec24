// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.quirk.Quirk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The domains of this process: memory of one may be used in any. Any thread. */
public final class OpenDomains {
    private static final Set<DomainState> OPEN = Collections.newSetFromMap(new WeakHashMap<>());

    private OpenDomains() {
    }

    static void add(DomainState domain) {
        synchronized (OPEN) {
            OPEN.add(domain);
        }
    }

    static void remove(DomainState domain) {
        synchronized (OPEN) {
            OPEN.remove(domain);
        }
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

    /** The operations under way of all domains; exact if nobody posts. */
    public static List<String> underWay(Predicate<Object> uses) {
        List<String> found = new ArrayList<>();
        all().forEach(domain -> found.addAll(domain.contexts().underWay(uses)));
        return found;
    }

    /** The open endpoints with raw contexts, of all domains: any may use any memory. */
    public static List<String> rawUsers() {
        List<String> found = new ArrayList<>();
        all().forEach(domain -> found.addAll(domain.contexts().rawUsers()));
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
            for (DomainState domain : all()) {
                domain.object().exclusively(() -> look.accept(domain.contexts()));
            }
            return true;
        } catch (IllegalStateException threadsStayInside) {
            return false;
        }
    }
}
