// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.LostRank;
import java.util.HashMap;
import java.util.Map;

/** A process as the server knows it. Guarded by the {@link Registry}. */
final class Member {
    final Hello hello;
    final Line line;
    final Map<String, byte[]> values = new HashMap<>();
    int rank;
    /** So many fences and exchanges it has come to. */
    int fences;
    boolean left;
    /** How its process has ended, as a launcher says, while what it said last was still to be read. */
    String failed;
    LostRank lost;

    Member(Hello hello, Line line) {
        this.hello = hello;
        this.line = line;
        this.rank = hello.rank();
    }

    boolean present() {
        return !left && lost == null;
    }

    String who() {
        return "rank " + rank + " on " + hello.host();
    }

    LostRank lose(String reason) {
        lost = new LostRank(rank, hello.host(), reason + " (pid " + hello.pid() + ")");
        return lost;
    }
}
