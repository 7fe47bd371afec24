// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.EventQueue;
import io.jfabric.bindings.fi_ops_eq;
import io.jfabric.bindings.fid_eq;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;

/** A node whose event queue cannot be read for a moment. */
public final class EventsFailChild {
    private EventsFailChild() {
    }

    public static void main(String[] args) {
        FailingCalls reading = new FailingCalls(Errno.EIO);
        try (NodePair pair = NodePair.open(Providers.TCP_MSG)) {
            ((FidObject) pair.a.fabric()).eachChild(child -> {
                if (child instanceof EventQueue) {
                    reading.function(child.fid(), fid_eq.ops$offset(), fi_ops_eq.read$offset(), JAVA_LONG, JAVA_LONG,
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
                }
            });
            reading.next(2);
            Waits.until("two reads have failed, and others have not", () -> {
                int before = reading.passed();
                pair.a.progress();
                return reading.failed() == 2 && before > 0;
            });
        }
        System.out.println("END");
    }
}
