// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.Domain;
import io.jfabric.internal.ffi.Log;
import java.util.ArrayList;
import java.util.List;

/**
 * What a program promises by {@code FI_THREAD_DOMAIN} and its like: one thread at a time uses a domain and all that was
 * opened from it. libfabric leaves out its locks then, and crashes if that is not so. Here the promise is kept for the
 * program: whoever comes takes the domain over, once the thread before is out of native code. That takes some tens of
 * microseconds; as long as the same thread comes again it costs nothing.
 */
final class OneThread {
    /** How many changes pass without a warning: a program may set up in one thread and work in another. */
    private static final int UNTOLD = 1000;
    private static final Log LOG = Log.of(Domain.class);

    private final FidObject domain;
    private volatile Thread owner;
    private int changes;

    OneThread(FidObject domain) {
        this.domain = domain;
    }

    boolean isOf(Thread thread) {
        return owner == thread;
    }

    /** Takes the domain over. Not for threads that hold an entry's monitor. */
    void claim(Thread me) {
        long end = 0;
        for (int n = 1; owner != me; n++) {
            domain.locked(() -> takeOver(me));
            if (owner == me) {
                return;
            }
            // the other thread's handlers are at work, and may call libfabric, or close something
            end = end == 0 ? System.nanoTime() + Closing.timeout().toNanos() : end;
            if (System.nanoTime() - end > 0) {
                throw stays(null);
            }
            GivingWay.giveWay(n);
        }
    }

    private void takeOver(Thread me) {
        if (owner != me && takeOverNow(me) && ++changes == UNTOLD) {
            LOG.warn("{} was opened for one thread at a time (Threading.DOMAIN or the like), but threads have taken it "
                    + "from each other {} times, which is slow: open it with Threading.SAFE, or a domain for each",
                    domain, changes);
        }
    }

    private boolean takeOverNow(Thread me) {
        try {
            Closing.run(this::all, () -> {
                List<FidObject> all = all();
                if (all.stream().noneMatch(object -> object.entry().hasTurnOfOther(me))) {
                    all.forEach(object -> object.entry().dismiss());
                    owner = me;
                }
            });
        } catch (IllegalStateException e) {
            throw stays(e);
        }
        return owner == me;
    }

    private List<FidObject> all() {
        return domain.addTo(new ArrayList<>());
    }

    private IllegalStateException stays(IllegalStateException cause) {
        return new IllegalStateException(domain + " was opened for one thread at a time (Threading.DOMAIN or the "
                + "like), and another thread is still using it", cause);
    }
}
