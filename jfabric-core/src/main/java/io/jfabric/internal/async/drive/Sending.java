// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

/** Sends messages that were gathered to go together; logs failures, as the thread works for others, too. */
final class Sending {
    private final Complaint complaint;
    private volatile Gathered gathered = Gathered.NOTHING;

    Sending(Complaint complaint) {
        this.complaint = complaint;
    }

    void of(Gathered all) {
        gathered = all;
    }

    boolean isDue() {
        return !gathered.isEmpty();
    }

    /** Sends what is due now. */
    void send() {
        Gathered some = gathered;
        if (!some.isEmpty()) {
            try {
                some.send();
            } catch (RuntimeException | Error failed) {
                complaint.make(failed);
            }
        }
    }

    void sendAll() {
        try {
            gathered.sendAll();
        } catch (RuntimeException | Error failed) {
            complaint.make(failed);
        }
    }
}
