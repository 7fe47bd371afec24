// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.ffi.Arguments;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * How a node is opened. Immutable; {@link #DEFAULT} suits most.
 *
 * <p>If the provider is busy or a limit here is reached, an operation waits in the node's backlog, in order behind
 * those to the same peer; its future looks the same. When the backlog is full, operations fail at once with an
 * {@link OverloadException}, although a few more are accepted for peers that have few operations waiting.
 */
public final class NodeOptions {
    /** No limit: waits as long as it takes. 292 years, the longest duration that {@link Duration#toNanos} takes. */
    public static final Duration NO_DEADLINE = Duration.ofNanos(Long.MAX_VALUE);
    /** Completes futures in the thread that made the progress. */
    public static final Executor DIRECT = Runnable::run;
    /**
     * A thread of the node's own, which sleeps when there is nothing to do; 30 seconds for each operation except
     * receives; under way at most 16,000 receives and 16,000 other operations, 1,024 of these to one peer, and 131,072
     * operations waiting.
     */
    public static final NodeOptions DEFAULT = new NodeOptions(Optional.empty(), false, IdleStrategy.asleep(), DIRECT,
            Duration.ofSeconds(30), NO_DEADLINE, 16_000, 16_000, 1_024, 1 << 17, 0);
    private static final int MOST = 1 << 24;
    private static final int MOST_ENTRIES = 1 << 22;

    private final Optional<Engine> engine;
    private final boolean callerProgress;
    private final IdleStrategy idle;
    private final Executor executor;
    private final Duration deadline;
    private final Duration receiveDeadline;
    private final int transmitLimit;
    private final int receiveLimit;
    private final int peerLimit;
    private final int backlog;
    private final long queueSize;

    private NodeOptions(Optional<Engine> engine, boolean callerProgress, IdleStrategy idle, Executor executor,
            Duration deadline, Duration receiveDeadline, int transmitLimit, int receiveLimit, int peerLimit,
            int backlog, long queueSize) {
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(idle, "idle");
        Objects.requireNonNull(executor, "executor");
        Arguments.deadline(deadline, "NodeOptions", "the deadline");
        Arguments.deadline(receiveDeadline, "NodeOptions", "the receiveDeadline");
        Arguments.range("transmitLimit", transmitLimit, 1, MOST);
        Arguments.range("receiveLimit", receiveLimit, 1, MOST);
        Arguments.range("peerLimit", peerLimit, 1, MOST);
        Arguments.range("backlog", backlog, 0, MOST);
        Arguments.range("queueSize", queueSize, 0, MOST_ENTRIES);
        this.engine = engine;
        this.callerProgress = callerProgress;
        this.idle = idle;
        this.executor = executor;
        this.deadline = deadline;
        this.receiveDeadline = receiveDeadline;
        this.transmitLimit = transmitLimit;
        this.receiveLimit = receiveLimit;
        this.peerLimit = peerLimit;
        this.backlog = backlog;
        this.queueSize = queueSize;
    }

    /**
     * Lets an engine make progress, which other nodes may use too.
     *
     * @param shared the engine; stays open when the node is closed
     * @return new options
     */
    public NodeOptions withEngine(Engine shared) {
        Objects.requireNonNull(shared, "NodeOptions.withEngine: null; withCallerProgress() has no engine");
        return new NodeOptions(Optional.of(shared), false, idle, executor, deadline, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    /**
     * Lets only those threads make progress that wait for futures of the node or call {@link Node#progress()}. What is
     * derived from such a future by its own methods ({@code thenApply}) is one, too. The futures
     * of {@code allOf} and {@code anyOf} are not, nor is what {@code thenCompose} of a foreign future returns: nobody
     * makes progress in their {@code join} or {@code get}, and no deadline ends the wait. Use {@link Node#await}.
     *
     * @return new options
     */
    public NodeOptions withCallerProgress() {
        return new NodeOptions(Optional.empty(), true, idle, executor, deadline, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    /**
     * Changes what is done when there is nothing to do.
     *
     * @param strategy the strategy
     * @return new options
     */
    public NodeOptions withIdle(IdleStrategy strategy) {
        return new NodeOptions(engine, callerProgress, strategy, executor, deadline, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    /**
     * Completes the program's futures in an executor, one task for all that completed together; the tasks come in the
     * order of the completion queue, so that a single thread completes futures in the order of arrival. The node's own
     * messages, such as those of keep-alive and calls, do not wait for it. A thread that completes or cancels a future
     * itself runs what was appended to it, and so may one that waits for it where callers make all progress. A task
     * that the program itself gives to an executor of one thread must not wait for the node's futures.
     *
     * @param completing the executor; must not discard tasks: their futures, and perhaps those that complete later,
     *     would never be done, since it also handles their deadlines. It may refuse them with an exception
     * @return new options
     */
    public NodeOptions withExecutor(Executor completing) {
        return new NodeOptions(engine, callerProgress, idle, completing, deadline, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    /**
     * Changes how long sends, reads, writes and atomics may take.
     *
     * @param duration more than 0; {@link #NO_DEADLINE} for no limit
     * @return new options
     */
    public NodeOptions withDeadline(Duration duration) {
        return new NodeOptions(engine, callerProgress, idle, executor, duration, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    /**
     * Changes how long receives wait for a message.
     *
     * @param duration more than 0; {@link #NO_DEADLINE} for no limit
     * @return new options
     */
    public NodeOptions withReceiveDeadline(Duration duration) {
        return new NodeOptions(engine, callerProgress, idle, executor, deadline, duration, transmitLimit,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    /**
     * Changes how many sends, reads, writes and atomics are with the provider at once. One that was given up counts
     * until the provider lets go of it, which may be never where its peer is dead: leave room for others, several times
     * the {@link #peerLimit()}.
     *
     * @param operations 1 to 16,777,216
     * @return new options
     */
    public NodeOptions withTransmitLimit(int operations) {
        return new NodeOptions(engine, callerProgress, idle, executor, deadline, receiveDeadline, operations,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    /**
     * Changes how many receives are with the provider at once.
     *
     * @param receives 1 to 16,777,216
     * @return new options
     */
    public NodeOptions withReceiveLimit(int receives) {
        return new NodeOptions(engine, callerProgress, idle, executor, deadline, receiveDeadline, transmitLimit,
                receives, peerLimit, backlog, queueSize);
    }

    /**
     * Changes how many sends, reads, writes and atomics to one peer are with the provider at once; see
     * {@link #withTransmitLimit} for those that were given up. Where a peer that does not answer would keep others from
     * being reached, as with {@code sockets} and {@code udp;ofi_rxd}, they are 64 at most; with the latter those to the
     * next peer at an address also wait until the provider has let go of what was sent to the last.
     *
     * @param operations 1 to 16,777,216
     * @return new options
     */
    public NodeOptions withPeerLimit(int operations) {
        return new NodeOptions(engine, callerProgress, idle, executor, deadline, receiveDeadline, transmitLimit,
                receiveLimit, operations, backlog, queueSize);
    }

    /**
     * Changes how many operations may wait; further ones are refused at once, so that neither memory nor waiting time
     * grows without end. All share it: sends to every peer, the program's receives, and what the node itself sends for
     * calls. If it fills up because one peer has stalled, an extra eighth is reserved for peers with fewer than 64
     * waiting operations. When that is full, too, sends to all are refused, and answers to calls may be late or lost.
     *
     * @param operations how many, up to 16,777,216; 0 for none
     * @return new options
     */
    public NodeOptions withBacklog(int operations) {
        return new NodeOptions(engine, callerProgress, idle, executor, deadline, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, operations, queueSize);
    }

    /**
     * Changes the size of the completion queue.
     *
     * @param entries how many, up to 4,194,304; 0 for the provider's default or, on a connection-oriented node, for the
     *     sum of the limits for transmits and receives
     * @return new options
     */
    public NodeOptions withQueueSize(long entries) {
        return new NodeOptions(engine, callerProgress, idle, executor, deadline, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, backlog, entries);
    }

    /** {@return who makes progress; empty for a thread of the node's own, or the caller's} */
    public Optional<Engine> engine() {
        return engine;
    }

    /** {@return whether no thread makes progress but those that wait for futures or call {@link Node#progress()}} */
    public boolean callerProgress() {
        return callerProgress;
    }

    /** {@return what the node's own thread does when there is nothing to do, and how long waiting threads poll} */
    public IdleStrategy idle() {
        return idle;
    }

    /** {@return what completes the futures: {@link #DIRECT} is the thread that made the progress} */
    public Executor executor() {
        return executor;
    }

    /** {@return how long sends, reads, writes and atomics may take, more than 0; {@link #NO_DEADLINE} for no limit} */
    public Duration deadline() {
        return deadline;
    }

    /** {@return how long receives wait for a message, more than 0; {@link #NO_DEADLINE} for no limit} */
    public Duration receiveDeadline() {
        return receiveDeadline;
    }

    /** {@return how many sends, reads, writes and atomics are with the provider at once, 1 to 16,777,216} */
    public int transmitLimit() {
        return transmitLimit;
    }

    /** {@return how many receives are with the provider at once, 1 to 16,777,216} */
    public int receiveLimit() {
        return receiveLimit;
    }

    /**
     * {@return how many sends, reads, writes and atomics to one peer are with the provider at once, 1 to 16,777,216}
     */
    public int peerLimit() {
        return peerLimit;
    }

    /** {@return how many operations may wait, 0 to 16,777,216} */
    public int backlog() {
        return backlog;
    }

    /** {@return how many entries the completion queue has, up to 4,194,304; 0 for the default} */
    public long queueSize() {
        return queueSize;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeOptions a && a.engine.equals(engine) && a.callerProgress == callerProgress
                && a.idle.equals(idle) && a.executor.equals(executor) && a.deadline.equals(deadline)
                && a.receiveDeadline.equals(receiveDeadline) && a.transmitLimit == transmitLimit
                && a.receiveLimit == receiveLimit && a.peerLimit == peerLimit && a.backlog == backlog
                && a.queueSize == queueSize;
    }

    @Override
    public int hashCode() {
        return Objects.hash(engine, callerProgress, idle, executor, deadline, receiveDeadline, transmitLimit,
                receiveLimit, peerLimit, backlog, queueSize);
    }

    @Override
    public String toString() {
        return "NodeOptions[engine=" + engine + ", callerProgress=" + callerProgress + ", idle=" + idle
                + ", executor=" + executor + ", deadline=" + deadline + ", receiveDeadline=" + receiveDeadline
                + ", transmitLimit=" + transmitLimit + ", receiveLimit=" + receiveLimit + ", peerLimit=" + peerLimit
                + ", backlog=" + backlog + ", queueSize=" + queueSize + "]";
    }
}
