// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.internal.async.drive.Drive;

/** How calls end that are under way, unless the program or the clock ends them. */
final class OutgoingEnds {
    private final CallFailures failures;
    private final Window window;
    private final Drive drive;

    OutgoingEnds(CallFailures failures, Window window, Drive drive) {
        this.failures = failures;
        this.window = window;
        this.drive = drive;
    }

    /** The call, to be finished; its place is for another as soon as nothing of it is being sent. */
    Outgoing<?> over(Outgoing<?> call, int slot) {
        if (window.end(slot, call)) {
            window.letGo(slot);
        }
        return call;
    }

    /** Its future is done already. */
    Outgoing<?> dropped(Outgoing<?> call, int slot) {
        over(call, slot);
        return null;
    }

    /** Fails a call, unless somebody has claimed it; null if it is not to be finished here. */
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
     * It cannot be sent, or not wholly. What the program has appended does not run in this thread, which may be
     * starting calls: it could call again, which would start the next, and so on until the stack is full.
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
