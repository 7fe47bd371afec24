// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import io.jfabric.launch.JobException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A job of one process. */
public final class Alone implements Session {
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();

    @Override
    public Place place() {
        return new Place(0, 1, 0, 1, "alone");
    }

    @Override
    public void put(String key, byte[] value, Deadline deadline) {
        values.put(key, value.clone());
    }

    @Override
    public void commit(Deadline deadline) {
        // nobody else looks
    }

    @Override
    public void fence(Deadline deadline) {
        // all are here
    }

    @Override
    public byte[] get(int rank, String key, Deadline deadline) {
        byte[] value = values.get(key);
        if (value == null) {
            throw new JobException("get: rank 0, the only one, has not put \"" + key + "\"");
        }
        return value.clone();
    }

    @Override
    public List<byte[]> gather(byte[] mine, Deadline deadline) {
        return List.of(mine.clone());
    }

    @Override
    public void abort(String message, int exitCode) {
        // there is nobody to tell
    }

    @Override
    public void close(Deadline deadline) {
        // nothing is open
    }
}
