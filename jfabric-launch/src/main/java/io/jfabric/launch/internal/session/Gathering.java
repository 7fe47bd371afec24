// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import java.util.ArrayList;
import java.util.List;

/** An exchange by what every key-value store has. Keys are used once, since PMI-1 has no way to replace a value. */
public final class Gathering {
    /** Users' keys have no colon. */
    private static final String PREFIX = "jf:";
    private int count;

    public List<byte[]> gather(Session session, byte[] mine, Deadline deadline) {
        String key = PREFIX + count++;
        session.put(key, mine);
        session.commit();
        session.fence(deadline);
        List<byte[]> all = new ArrayList<>();
        for (int rank = 0; rank < session.place().size(); rank++) {
            all.add(rank == session.place().rank() ? mine.clone() : session.get(rank, key, deadline));
        }
        return all;
    }
}
