// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.clock.Aside;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Hands out the messages of a received {@link Bundle}. */
final class Unbundling {
    private final Hub hub;
    private final PooledBuffer bundle;
    private final Iterator<MemorySegment> messages;
    /** The message for which there was no buffer. */
    private MemorySegment next;
    /** What runs the program's code: only when the bundle's memory is free, as it may wait for more messages. */
    private List<Runnable> endings = new ArrayList<>();

    Unbundling(Hub hub, PooledBuffer bundle, long length) {
        this.hub = hub;
        this.bundle = bundle;
        this.messages = Bundle.read(bundle.segment(), length).iterator();
    }

    /** As {@link Hub.Receiver#arrived}. */
    Hub.Ending begin() {
        if (handOut(null)) {
            return this::end;
        }
        // not here, as the polling thread has more to hand out
        Aside.start(this::endThenGoOn);
        return Hub.Ending.LATER;
    }

    private void end() {
        List<Runnable> some = endings;
        endings = new ArrayList<>();
        Completing.runAll(some);
    }

    /** First ends what has come so far, which gives buffers back; if that waits, another thread goes on. */
    private void endThenGoOn() {
        endings.add(this::goOnLater);
        end();
    }

    private void goOnLater() {
        // whoever gives a buffer back has other things to do
        hub.buffers.takeLater().whenComplete((buffer, closed) -> Aside.start(() -> goOn(buffer)));
    }

    /** With a buffer for the next message; null if there will never be one. */
    private void goOn(PooledBuffer buffer) {
        if (buffer == null) {
            bundle.close();
            return;
        }
        if (handOut(buffer)) {
            bundle.close();
            end();
        } else {
            endThenGoOn();
        }
    }

    /** Hands out all that are left, the one that waited in the given buffer; false if one of them gets no buffer. */
    private boolean handOut(PooledBuffer first) {
        PooledBuffer own = first;
        while (next != null || messages.hasNext()) {
            next = next != null ? next : messages.next();
            try {
                if (!Wire.isRequests(Frame.target(next))) {
                    handToCaller(next);
                } else {
                    own = own != null ? own : hub.take();
                    if (own == null) {
                        return false;
                    }
                    handToService(next, own);
                    own = null;
                }
            } catch (RuntimeException | Error e) {
                // go on with the others: nobody else would end some of those that were handed out
                hub.cannotHandle(next.byteSize(), e);
            }
            next = null;
        }
        if (own != null) {
            own.close();
        }
        return true;
    }

    private void handToCaller(MemorySegment message) {
        Hub.Ending ending = hub.dispatch(bundle, message, message.byteSize());
        if (ending != null) {
            endings.add(ending::finish);
        }
    }

    /** Services keep the buffer for the answer. */
    private void handToService(MemorySegment message, PooledBuffer own) {
        long length = message.byteSize();
        MemorySegment.copy(message, 0, own.segment(), 0, length);
        endings.add(() -> {
            Hub.Ending ending;
            try {
                ending = hub.dispatch(own, own.segment(), length);
            } catch (RuntimeException | Error e) {
                // as a rule the node is closed; or somebody may still use the buffer
                hub.cannotHandle(length, e);
                return;
            }
            if (ending != Hub.Ending.LATER) {
                own.close();
            }
            if (ending != null) {
                ending.finish();
            }
        });
    }
}
