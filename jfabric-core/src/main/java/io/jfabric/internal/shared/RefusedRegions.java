// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.Domain;
import io.jfabric.FabricException;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.FidOps;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registrations of jfabric's own that the provider did not end when it was asked to. Nobody else knows of them, and
 * the domain cannot be closed before they are: so it asks once more then. Any thread.
 */
public final class RefusedRegions {
    private static final Logger LOG = LoggerFactory.getLogger(Domain.class);
    private static final String CLOSE = "fi_close(memory region)";
    private static final String OWN = "one that jfabric has made for itself";

    /** Whether the provider has freed what it did not end. */
    private final boolean freesRefused;
    private final Queue<Refused> refused = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile boolean lost;

    /** With what is to be done once it is closed. */
    private record Refused(long mr, Runnable closed) {
    }

    RefusedRegions(boolean freesRefused) {
        this.freesRefused = freesRefused;
    }

    /** {@code fi_close} */
    long end(long mr) {
        long result = FidOps.close(mr);
        if (isLost(result)) {
            lost = true;
        }
        return result;
    }

    /** Whether the provider cannot be asked again after that answer. */
    boolean isLost(long result) {
        return result != 0 && freesRefused;
    }

    /**
     * {@code fi_close}, now or with the domain.
     *
     * @param closed runs when the provider does not know the memory any more: unless it is closed now, maybe never
     * @return whether it is
     */
    boolean close(long mr, Runnable closed) {
        long result = end(mr);
        if (result == 0) {
            return true;
        }
        if (!freesRefused) {
            refused.add(new Refused(mr, closed));
        }
        if (told.compareAndSet(false, true)) {
            LOG.warn("memory that jfabric has registered stays registered until the {} ends; this is said once for a "
                    + "domain", freesRefused ? "process" : "domain", FabricException.of(CLOSE, result, OWN));
        }
        return false;
    }

    /** Whether the provider counts some that nobody can close any more. */
    public boolean hasLost() {
        return lost;
    }

    /**
     * Those that are left, as the domain is about to be closed.
     *
     * @throws FabricException if the provider refuses again: those stay, for the next time
     */
    public void closeAll() {
        long failure = 0;
        for (Iterator<Refused> it = refused.iterator(); it.hasNext();) {
            Refused next = it.next();
            long result = FidOps.close(next.mr);
            if (result == 0) {
                it.remove();
                next.closed.run();
            } else {
                failure = result;
            }
        }
        Results.check(CLOSE, failure, OWN + "; close the domain again later");
    }
}
