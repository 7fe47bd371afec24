// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.async.drive.Drive;

/** How calls under way end, unless the program or the clock ends them. */
final class OutgoingEnds {
    private final CallFailures failures;
    private final Window window;
    private final Drive drive;

    OutgoingEnds(CallFailures failures, Window window, Drive drive) {
        this.failures = failures;
        this.window = window;
        this.drive = drive;
    }

    /** The call is over, and is to be finished. Its slot is free for another once nothing of it is being sent. */
    Outgoing<?> over(Outgoing<?> call, int slot) {
        if (window.end(slot, call)) {
            window.letGo(slot);
        }
        return call;
    }

    /** The call is over, and its future is done already. */
    Outgoing<?> dropped(Outgoing<?> call, int slot) {
        over(call, slot);
        return null;
    }

    /** Fails a call, unless it was claimed already; null if it is not to be finished here. */
    Outgoing<?> fail(Outgoing<?> call, int slot, Throwable why) {
        Announced announced = call.announced;
        if (announced != null && announced.failed(why)) {
            return null;
        }
        if (!call.claim()) {
            return dropped(call, slot);
        }
        call.failure(why);
        return over(call, slot);
    }

    /**
     * It cannot be sent, or not in full. The program's continuations do not run in this thread, which may be starting
     * calls: they could call again, which would start the next one, and so on until the stack overflows.
     */
    void failHere(Outgoing<?> call, int slot, Throwable why) {
        Outgoing<?> over = fail(call, slot, failures.ofCall(why));
        Announced announced = call.announced;
        if (over != null) {
            drive.completing().runAside(over::finish);
        } else if (announced != null) {
            announced.giveUp();
        }
    }
}
