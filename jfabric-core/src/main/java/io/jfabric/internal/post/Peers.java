// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.internal.quirk.guard.FetchGuard;
import java.util.function.LongPredicate;

/** Which peers an endpoint can send to, or receive from alone. Asked if one comparison in {@link Gate} cannot tell. */
public interface Peers {
    /** Throws unless operations can be sent there. */
    void check(long peer);

    /** The same as an answer, from what is known here: for a thread inside, which must not wait for anybody. */
    boolean has(long peer);

    /** As {@link #has}, of a source. */
    boolean hasSource(long peer);

    /** As {@link #has}, of a multicast group. */
    boolean hasGroup(long group);

    /** Throws unless a receive can be restricted to that peer; it may also be any. */
    void checkSource(long peer, boolean tagged);

    /** All peers below this, unsigned, are good until one is removed. */
    long limit();

    /**
     * Tells a thread inside, where the limit does not, whether a peer is good until the thread is outside again:
     * whoever removes one waits for it. Null if each peer has to be checked.
     */
    LongPredicate inVector();

    /** As {@link #limit}, for receives; -2 if even those from any peer have to be checked. */
    long sourceLimit(boolean tagged);

    /** As {@link #inVector}, for receives. */
    LongPredicate sourceInVector(boolean tagged);

    /** Null unless messages have to go through it. */
    FetchGuard fetchGuard();

    /** Whether an atomic that fetches, or has several targets, can be sent now; false to try again later. */
    boolean mayFetch(String operation, long peer, boolean reports);

    /** Throws unless it is a multicast group that was joined: providers take its address for a pointer. */
    void checkGroup(long peer);
}
