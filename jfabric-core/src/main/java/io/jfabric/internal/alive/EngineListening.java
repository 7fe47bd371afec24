// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.drive.Drive;

/** Of a node with an engine: that reads what comes, and may be kept by what follows on the future of something else. */
final class EngineListening implements Listening {
    /** Where there is more and more: after so many polls what had come is read. */
    private static final int MOST = 1_000;

    private final Drive drive;
    private long began = System.nanoTime();
    /** Whether a poll is to say that it has read, and has not yet. */
    private volatile boolean asked;
    private volatile long readUntil = began;

    EngineListening(Drive drive) {
        this.drive = drive;
    }

    @Override
    public void begin() {
        began = System.nanoTime();
        if (!asked) {
            asked = true;
            try {
                ask(began, drive.polls());
            } catch (RuntimeException | Error cannot) {
                // the next time
                asked = false;
                throw cannot;
            }
        }
    }

    /** A poll that has begun since, and left nothing in the queue; and then what it has found is to be handed out. */
    private void ask(long since, int polls) {
        drive.later(() -> {
            if (drive.polls() == polls) {
                // so that there is another one at once
                ask(since, polls);
            } else if (!drive.isQueueRead() && drive.polls() - polls < MOST) {
                return false;
            } else {
                // who has polled may be kept from the rest of it: others can be asked meanwhile
                asked = false;
                drive.atOnce(() -> read(since));
            }
            return true;
        });
    }

    private synchronized void read(long since) {
        readUntil = since - readUntil > 0 ? since : readUntil;
    }

    /** The last question: what came after an earlier one may not be read. */
    @Override
    public boolean isDone() {
        return readUntil - began >= 0;
    }

    @Override
    public long readUntil() {
        return readUntil;
    }
}
