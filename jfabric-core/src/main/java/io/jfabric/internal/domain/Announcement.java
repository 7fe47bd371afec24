// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.domain;

import io.jfabric.Domain;
import io.jfabric.DomainStatistics;
import io.jfabric.OperationStatistics;
import io.jfabric.info.Capability;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.SystemMemoryBarrier;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.library.NativeLibrary;
import io.jfabric.internal.library.NativeText;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.watch.Watch;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** What those who run a program want to know of its domains: one line in the log, and counts while they record. */
final class Announcement {
    private static final Log LOG = Log.of(Domain.class);
    /** What was told, a name each; no more than a machine has. */
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private static final AtomicBoolean ADVISED = new AtomicBoolean();

    private Announcement() {
    }

    /** Logs provider, interface and library; for further domains like it at level DEBUG. */
    static void of(FabricInfoImpl info) {
        Watch.domainOpened(Announcement::count);
        String key = info.provider() + ' ' + info.endpoint().type() + ' ' + info.domain().name().orElse("");
        if (TOLD.add(key)) {
            LOG.info("opened {}, libfabric {} from {}", what(info), NativeText.version(), NativeLibrary.path());
            adviseOnce();
        } else {
            LOG.debug("opened {}", what(info));
        }
        if (info.capabilities().contains(Capability.COLLECTIVE)) {
            warnOfCollectives(info.provider());
        }
    }

    /** Without an address: only endpoints have one that somebody can write to. */
    private static String what(FabricInfoImpl info) {
        return info.provider() + " " + info.endpoint().type().nativeName() + " on " + info.domain().name().orElse("");
    }

    private static void warnOfCollectives(String provider) {
        String danger = Quirks.of(provider).dangerOfCollectives();
        if (danger != null && TOLD.add(provider + ' ' + Capability.COLLECTIVE)) {
            LOG.warn("{}: {}; io.jfabric.async.Group needs no such capability", provider, danger);
        }
    }

    private static void adviseOnce() {
        if (LOG.isInfoEnabled() && !ADVISED.getAndSet(true) && !SystemMemoryBarrier.mayBeOn()) {
            LOG.info("the JVM runs without -XX:+UseSystemMemoryBarrier: each call of libfabric has a fence, which "
                    + "costs up to some nanoseconds; docs/performance.md says how to set it");
        }
    }

    private static void count() {
        Leaks.eachOpen(DomainImpl.class, domain -> {
            DomainStatistics all = domain.statistics();
            OperationStatistics o = all.operations();
            Watch.counts(domain.toString(), o.posted(), o.completed(), o.errors(), o.busy(), o.underWay(),
                    all.registeredBytes());
        });
    }
}
