// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.StandingReceive;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.quirk.Quirks;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The receives of a hub, as many as are in demand. What has come goes to the hub, and the receive is posted again,
 * maybe with another buffer.
 */
final class Intakes {
    private static final int MOST = 256;
    /** One in so many entries of the provider's receive queue may be used here. */
    private static final int SHARE = 4;

    private final Hub hub;
    private final NodeImpl node;
    private final AtomicReferenceArray<Intake> posted;
    private final Demand demand;
    /** Whether the program's receives may make it dangerous to have too few. */
    private final boolean masksMatter;
    /** How many of them there are. Changed by one thread at a time. */
    private volatile int open;

    Intakes(Hub hub) {
        this.hub = hub;
        this.node = hub.wire.node;
        long queue = node.info().rx().size();
        int receives = Math.clamp((queue <= 0 ? Long.MAX_VALUE : queue) / SHARE, 8, MOST);
        int most = Math.min(receives, Math.max(1, node.options().receiveLimit() / 2));
        this.posted = new AtomicReferenceArray<>(most);
        this.demand = new Demand(wantsAll(false) ? most : Math.min(Demand.FEW, most), most);
        this.masksMatter = wantsAll(true);
    }

    private boolean wantsAll(boolean masks) {
        return Quirks.of(node.info().provider()).wantsReceivesFirst(masks);
    }

    /** Posts all receives that are in demand, or those that could not be posted before. */
    synchronized void post() {
        for (int i = 0; i < posted.length() && open < demand.wanted(); i++) {
            if (posted.get(i) == null) {
                open(i);
            }
        }
    }

    /** As many as there can be, if there is no memory for all. */
    private void postMore() {
        if (hub.isClosed()) {
            return;
        }
        try {
            post();
        } catch (RuntimeException | OutOfMemoryError none) {
            // those that there are go on
        }
        if (hub.isClosed()) {
            stop();
        }
    }

    private void open(int index) {
        Intake intake = new Intake(index);
        posted.set(index, intake);
        open++;
        try {
            intake.begin(hub.buffers.takeFirst());
        } catch (RuntimeException | Error e) {
            posted.set(index, null);
            open--;
            throw e;
        }
    }

    /** Whether a receive that has a message is one more than needed. If so, it is not one of them any more. */
    private synchronized boolean isOneTooMany(Intake intake) {
        if (open <= demand.wanted()) {
            return false;
        }
        posted.set(intake.index, null);
        open--;
        return true;
    }

    /** There is no receiver any more. */
    void stop() {
        for (int i = 0; i < posted.length(); i++) {
            Intake intake = posted.get(i);
            if (intake != null) {
                intake.receive.stop();
            }
        }
    }

    /** One receive, with a buffer of the pool. */
    private final class Intake implements StandingReceive.Taker {
        private final int index;
        private volatile StandingReceive receive = hub.wire.receive(this);
        private PooledBuffer buffer;

        private Intake(int index) {
            this.index = index;
        }

        /** Posts it for the first time. */
        void begin(PooledBuffer first) {
            buffer = first;
            try {
                receive.next(first.segment());
            } catch (RuntimeException refused) {
                hub.ended(first);
                if (node.isOpen()) {
                    throw refused;
                }
            }
        }

        void post(PooledBuffer next) {
            if (hub.isClosed()) {
                receive.stop();
                next.close();
                return;
            }
            buffer = next;
            try {
                receive.next(next.segment());
            } catch (IllegalStateException nodeClosed) {
                hub.ended(next);
                return;
            }
            if (hub.isClosed()) {
                receive.stop();
            }
        }

        @Override
        public void arrived(long length) {
            PooledBuffer full = buffer;
            Hub.Ending ending;
            try {
                ending = hub.dispatch(full, length);
            } catch (RuntimeException | Error e) {
                hub.cannotHandle(length, e);
                // somebody may still use the buffer
                ending = Hub.Ending.LATER;
            }
            try {
                // before the program's continuations, which may wait for more messages
                if (masksMatter && node.common().masks().areUsed()) {
                    demand.all();
                }
                demand.came(node.drive().polls());
                if (open > demand.wanted() && isOneTooMany(this)) {
                    receive.stop();
                    if (ending != Hub.Ending.LATER) {
                        full.close();
                    }
                } else if (ending != Hub.Ending.LATER) {
                    post(full);
                } else {
                    postAnother();
                }
                if (open < demand.wanted()) {
                    postMore();
                }
            } finally {
                // even if that throws: nobody else would finish it
                if (ending != null) {
                    ending.finish();
                }
            }
            hub.outlets.sendLate();
        }

        private void postAnother() {
            PooledBuffer next = hub.isClosed() ? null : hub.buffers.takeToReceive();
            if (next != null) {
                post(next);
            } else if (!hub.isClosed()) {
                hub.buffers.takeLaterToReceive().whenComplete((buffer, none) -> {
                    if (buffer != null) {
                        post(buffer);
                    } else {
                        receive.stop();
                    }
                });
            }
        }

        @Override
        public void failed(Throwable why) {
            if (hub.isClosed() || !node.isOpen()) {
                hub.ended(buffer);
            } else {
                // it was longer than any message of ours. Not at once, as the next may fail at once, too
                receive = hub.wire.receive(this);
                Aside.later(1, () -> post(buffer));
            }
        }
    }
}
