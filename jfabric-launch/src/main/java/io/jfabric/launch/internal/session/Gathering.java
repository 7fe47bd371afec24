// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import io.jfabric.launch.JobException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An exchange by what every key-value store has. Keys are used once, since PMI-1 has no way to replace a value. In a
 * large job rank 0 alone gets what the others have put, and gives it to them in one piece: each value that is got is a
 * question to the launcher, and as many as the square of the ranks would keep it busy for long.
 */
public final class Gathering {
    /** Users' keys have no colon. */
    private static final String PREFIX = "jf:";
    private static final int MANY = 4;
    private static final byte GOOD = 0;
    private static final byte FAILED = 1;
    private int count;

    public List<byte[]> gather(Session session, byte[] mine, Deadline deadline) {
        String key = PREFIX + count++;
        session.put(key, mine, deadline);
        session.commit(deadline);
        session.fence(deadline);
        if (session.place().size() <= MANY) {
            return getAll(session, key, mine, deadline);
        }
        if (session.place().rank() == 0) {
            session.put(key + ":all", together(session, key, mine, deadline), deadline);
            session.commit(deadline);
        }
        session.fence(deadline);
        return apart(session.get(0, key + ":all", deadline), session.place().size());
    }

    private static List<byte[]> getAll(Session session, String key, byte[] mine, Deadline deadline) {
        List<byte[]> all = new ArrayList<>();
        for (int rank = 0; rank < session.place().size(); rank++) {
            all.add(rank == session.place().rank() ? mine.clone() : session.get(rank, key, deadline));
        }
        return all;
    }

    /** Or why it cannot be had: the others wait for it. */
    private static byte[] together(Session session, String key, byte[] mine, Deadline deadline) {
        List<byte[]> all;
        try {
            all = getAll(session, key, mine, deadline);
        } catch (JobException e) {
            byte[] text = e.getMessage().getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(1 + text.length).put(FAILED).put(text).array();
        }
        int length = all.stream().mapToInt(value -> Integer.BYTES + value.length).sum();
        ByteBuffer bytes = ByteBuffer.allocate(1 + length).put(GOOD);
        all.forEach(value -> bytes.putInt(value.length).put(value));
        return bytes.array();
    }

    private static List<byte[]> apart(byte[] together, int size) {
        ByteBuffer in = ByteBuffer.wrap(together);
        if (in.get() != GOOD) {
            throw new JobException("exchange: rank 0: " + StandardCharsets.UTF_8.decode(in));
        }
        List<byte[]> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            byte[] value = new byte[in.getInt()];
            in.get(value);
            all.add(value);
        }
        return all;
    }
}
