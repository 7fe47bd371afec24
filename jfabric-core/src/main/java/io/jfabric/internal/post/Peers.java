// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.internal.quirk.guard.FetchGuard;
import java.util.function.LongPredicate;

/** Whom an endpoint can reach, and take messages from alone. Asked where one comparison in {@link Gate} cannot tell. */
public interface Peers {
    /** Throws unless operations can be sent there. */
    void check(long peer);

    /** The same as an answer, of what is known here: for a thread inside, which must wait for nobody. */
    boolean has(long peer);

    /** As {@link #has}, of a source. */
    boolean hasSource(long peer);

    /** As {@link #has}, of a multicast group. */
    boolean hasGroup(long group);

    /** Throws unless a receive can be restricted to it; it may be from any. */
    void checkSource(long peer, boolean tagged);

    /** All below this, unsigned, are good until one is removed. */
    long limit();

    /**
     * Tells for a thread inside, where the limit does not, whether a peer is good until that is outside again: who
     * removes one waits for it. Null where each has to be looked at.
     */
    LongPredicate inVector();

    /** As {@link #limit}, for receives; -2 if even those from any peer have to be looked at. */
    long sourceLimit(boolean tagged);

    /** As {@link #inVector}, for receives. */
    LongPredicate sourceInVector(boolean tagged);

    /** Null unless what is sent has to go through it. */
    FetchGuard fetchGuard();

    /** Whether an atomic that fetches, or has several targets, can be sent now; false to try again later. */
    boolean mayFetch(String operation, long peer, boolean reports);

    /** Throws unless it is a multicast group that was joined: providers take its address for a pointer. */
    void checkGroup(long peer);
}
