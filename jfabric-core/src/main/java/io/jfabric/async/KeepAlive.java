// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricException;
import io.jfabric.internal.alive.KeepAliveImpl;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Notices when peers die, stop or cannot be reached, and answers the peers that watch this node. Both sides must open
 * one: a node without a keep-alive answers nobody.
 *
 * <p>A watched peer gets some small messages in each interval. If it does not answer for as long as the interval, it is
 * down, which is noticed within twice the interval: {@link Peer#ended()} fails with {@code FI_EHOSTDOWN}, and so does
 * everything under way to that peer. The same happens when the peer's process was started again meanwhile
 * ({@code FI_ECONNRESET}). The peer is closed then; {@link Node#peer(byte[])} of the same address makes a new one,
 * which can be watched and used as soon as a process is there again. A restart of its process is also noticed for a
 * peer that is not watched but itself watches this node.
 *
 * <p>Who closes its {@link Node} says so to those who watch it: their peer ends at once, with {@code FI_ECONNRESET},
 * "it has closed its node", and what it has sent and nobody has received by then may be lost. Members of groups that
 * are open here, and peers from which alone something was received, end with the same error, but when they have been
 * silent for as long as a dead one: what they have sent last is still wanted. To say it takes some milliseconds at
 * most; who is not reached meanwhile, or has an older jfabric, notices the silence.
 *
 * <p>Messages state who sent them, which anybody can fake: when one says that a peer was started again, the peer is
 * asked first, at its address. The claim is believed only if it is repeated after an interval without an answer.
 * Whoever watches this node becomes a peer of it, until that is closed; on {@code shm} a node can meet 256 others in
 * its life, closed peers included, and looks dead to any further ones that watch it, as its log says.
 *
 * <p>Other peers are not affected. But where the provider is {@code shm} of libfabric before 2.5, messages above 4 KiB
 * that a live peer does not take hold up those to others, although their futures have failed: the provider still has
 * them. Those to a process that has died do not, where the kernel lets processes read each other's memory.
 *
 * <p>On {@code tcp} since libfabric 1.18 answers of a peer are behind an untagged message, or 64 tagged ones, that it
 * has sent and nobody has received. So the node has a second endpoint there, at a port that the system chooses, until
 * it is closed, and a peer that does not answer soon is asked by a second connection as well. Where that leads to, a
 * peer says when it answers for the first time: watch before anything else is sent, or both look dead to each other
 * while it waits. On {@code shm} before libfabric 2.0 all peers look dead while {@code rx().size()} messages wait.
 *
 * <p>Where there is no second connection, as on {@code tcp} of libfabric 1.17 and with {@code ofi_rxm}, questions and
 * answers are behind what is under way to the same peer. There the interval must be longer than the link takes for all
 * of that, or a slow link makes a live peer count as dead. On links that lose packets, or are long, it should be
 * several seconds with any provider: TCP itself is silent for more than a second once two packets were lost in a row.
 *
 * <p>On a node whose callers make all progress, a thread of the keep-alive polls as well, in each of its intervals:
 * futures may be completed there, and memory that is confined to a thread cannot be used.
 *
 * <p>A process that was itself stopped for longer than an interval does not hold that time against its peers, nor does
 * a node whose engine was kept by a callback: nobody is declared dead while answers may still be unread. But such a
 * node does not answer either, and looks dead to those that watch it. If it watches them, too, and they had heard that,
 * it learns of it as soon as it goes on: those peers end with {@code FI_ECONNRESET}, as what they sent or expected has
 * failed there. Each side can make the other a peer again. Thread-safe.
 */
public sealed interface KeepAlive extends AutoCloseable permits KeepAliveImpl {
    /**
     * Opens a keep-alive with an interval of one second and four messages in it.
     *
     * @param node whose peers are to be watched
     * @return the keep-alive; closing the node closes it, if nobody has before
     * @throws IllegalStateException if the node has one already, is closed, or is connection-oriented
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits
     */
    static KeepAlive open(Node node) {
        return open(node, Duration.ofSeconds(1), 4);
    }

    /**
     * Opens a keep-alive.
     *
     * @param node whose peers are to be watched; not connection-oriented, as connections end by themselves
     * @param interval how long a peer may be silent before it is down, 10 milliseconds to a day
     * @param messages the number of messages that each peer gets in an interval, 1 to 100
     * @return the keep-alive; closing the node closes it, if nobody has before
     * @throws IllegalArgumentException if the interval or the number of messages is out of its range
     * @throws IllegalStateException if the node has one already, is closed, or is connection-oriented
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits
     */
    static KeepAlive open(Node node, Duration interval, int messages) {
        return KeepAliveImpl.open(node, interval, messages);
    }

    /**
     * The node whose peers it watches.
     *
     * @return the node
     */
    Node node();

    /**
     * Watches a peer from now on. Watching it again does nothing.
     *
     * @param peer a peer of the node's; that of the node itself answers like others
     * @return what {@link Peer#ended()} gives
     * @throws IllegalArgumentException if the peer is another node's
     * @throws IllegalStateException if this is closed
     */
    CompletableFuture<@Nullable Void> watch(Peer peer);

    /**
     * Watches all other members of a group from now on, as {@link #watch(Peer)} does.
     *
     * @param group a group of the node's
     * @throws IllegalArgumentException if the group is another node's
     * @throws IllegalStateException if this is closed
     */
    void watch(Group group);

    /**
     * Stops watching a peer.
     *
     * @param peer the peer
     */
    void forget(Peer peer);

    /**
     * How long ago a watched peer last answered.
     *
     * @param peer the peer
     * @return the time since then, 0 or more; empty if it has not answered yet, or is not watched
     */
    Optional<Duration> sinceLastAnswer(Peer peer);

    /**
     * How many peers it watches.
     *
     * @return those of the calls of {@link #watch(Peer)} that have not ended, and were not forgotten; 0 once it is
     *     closed
     */
    int watched();

    /**
     * How many peers it has ended: each was down, was started again, has closed its node, or has given this node up.
     *
     * @return since it was opened; each peer is counted once, just before {@link Peer#ended()} fails
     */
    long ended();

    /**
     * Tells whether it watches and answers.
     *
     * @return false once it or its node is closed
     */
    boolean isOpen();

    /**
     * Stops watching and answering. If a new one is opened on the same node before the peers that watch this node miss
     * the answers, it takes over without their declaring the node down; it watches nobody at first. So this tells them
     * nothing; closing the node next does. Closing again does nothing.
     */
    @Override
    void close();
}
