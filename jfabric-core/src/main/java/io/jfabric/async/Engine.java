// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.async.drive.EngineImpl;

/**
 * A thread that makes progress for any number of nodes. A node whose options have no engine gets a thread of its own.
 *
 * <p>The thread completes the futures, so functions that were appended to them without {@code Async} run in it and must
 * not block: all its nodes would stand still. If one blocks or computes for about a second or longer, a warning in the
 * log shows where, once a minute at most, and other threads make progress meanwhile, ten times a second: so deadlines
 * still end what is under way, somewhat later. What ended together with the future whose function blocks waits for that
 * function. What such a function throws goes into the dependent future, as always, and stops nothing. It may wait for
 * another future, also of a node of another engine: that makes progress meanwhile, and if it takes longer than some
 * milliseconds, what ended together with the first is completed by another thread. Functions that were appended to what
 * completes meanwhile run in the same thread (once sixteen waits are nested, in others): they must not wait for what
 * the first function is to return. Thread-safe.
 */
public sealed interface Engine extends AutoCloseable permits EngineImpl {
    /**
     * Starts an engine that sleeps when there is nothing to do ({@link IdleStrategy#asleep()}).
     *
     * @return the engine, to be closed after its nodes
     * @throws io.jfabric.FabricException {@code FI_EAGAIN} if the system has no thread for it
     */
    static Engine start() {
        return start("jfabric-engine", IdleStrategy.asleep());
    }

    /**
     * Starts an engine.
     *
     * @param name the name of its thread
     * @param idle what it does when there is nothing to do
     * @return the engine, to be closed after its nodes
     * @throws io.jfabric.FabricException {@code FI_EAGAIN} if the system has no thread for it
     */
    static Engine start(String name, IdleStrategy idle) {
        return EngineImpl.start(name, idle);
    }

    /**
     * What it does when there is nothing to do.
     *
     * @return the strategy
     */
    IdleStrategy idle();

    /**
     * Whether this thread is the engine's, as it is in functions appended to futures.
     *
     * @return true in the engine's thread
     */
    boolean isEngineThread();

    /**
     * How many nodes it drives.
     *
     * @return the number of open nodes
     */
    int nodes();

    /**
     * Ends the thread. Closing again does nothing.
     *
     * @throws IllegalStateException if it still has nodes: close them first
     */
    @Override
    void close();
}
