// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.drive.Drive;

/** Of a node with an engine: that reads what comes, and may be kept by what follows on the future of something else. */
final class EngineListening implements Listening {
    /** Where there is more and more: after so many polls what had come is read. */
    private static final int MOST = 1_000;

    private final Drive drive;
    /** When it was asked last, and whether that has been read. */
    private long began;
    private volatile boolean done = true;
    private volatile long readUntil = System.nanoTime();

    EngineListening(Drive drive) {
        this.drive = drive;
    }

    @Override
    public void begin() {
        if (done) {
            done = false;
            began = System.nanoTime();
            ask(began, drive.polls());
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
                drive.atOnce(() -> {
                    readUntil = since;
                    done = true;
                });
            }
            return true;
        });
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public long readUntil() {
        return readUntil;
    }

    @Override
    public void progress() {
        // the engine does
    }

    @Override
    public void stop() {
        // what was asked is read some time, or the node is closed
    }
}
