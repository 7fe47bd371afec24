// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.drive.Drive;

/** For a node with an engine, which reads what comes, but may be held up by callbacks of the program's futures. */
final class EngineListening implements Listening {
    /** If messages keep coming: after so many polls, all that had come before is read. */
    private static final int MOST = 1_000;

    private final Drive drive;
    private long began = System.nanoTime();
    /** Whether a poll was asked to report that all is read, and has not done so yet. */
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
                // the next call asks again
                asked = false;
                throw cannot;
            }
        }
    }

    /** Waits for a poll that began after this and left nothing in the queue, and for what it found to be handed out. */
    private void ask(long since, int polls) {
        drive.later(() -> {
            if (drive.polls() == polls) {
                drive.again();
                return false;
            }
            if (!drive.isQueueRead() && drive.polls() - polls < MOST) {
                return false;
            }
            // the polling thread may be held up before it hands out: other polls can be asked meanwhile
            asked = false;
            drive.atOnce(() -> read(since));
            return true;
        });
    }

    private synchronized void read(long since) {
        readUntil = since - readUntil > 0 ? since : readUntil;
    }

    /** For the last {@link #begin}: what came after an earlier one may still be unread. */
    @Override
    public boolean isDone() {
        return readUntil - began >= 0;
    }

    @Override
    public long readUntil() {
        return readUntil;
    }
}
