// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricException;
import io.jfabric.internal.call.service.ServiceImpl;
import java.time.Duration;

/**
 * Answers calls from {@link Caller}s by passing each to a handler. Load is bounded: when {@link ServiceOptions#limit()}
 * calls are under way, or the memory for large requests or the node's backlog is used up, callers get
 * {@code FI_EBUSY} at once, and for requests that are too long {@code FI_EMSGSIZE}. Everything that arrives is checked
 * before it is used; anyone who can reach the node can call.
 *
 * <p>What a handler throws fails its call, and the caller learns its class and message. The stack trace is in the log
 * of this process, under the name of this interface: the first at once, then one a minute with how many there were, the
 * others at level {@code DEBUG}; errors of the JVM each time. What is a regular answer goes through {@link Call#fail},
 * which logs nothing.
 *
 * <p>A caller is known by the address that it states itself, so that answers reach it; the address is not verified. The
 * node keeps it, as a peer, until {@link Call#peer()} is closed: a node whose callers come and go, each from a new
 * address, grows with them unless the program does that for those that are gone, or lets {@link KeepAlive#watch} find
 * them dead. On {@code shm} a node can meet 256 others in its life, closed peers included: further callers get no
 * answer, which only the log on the service's side says. Thread-safe.
 */
public sealed interface Service extends AutoCloseable permits ServiceImpl {
    /**
     * Opens a service with {@link ServiceOptions#DEFAULT}: each call has a virtual thread of its own.
     *
     * @param node the node to open it on
     * @param number the number that callers ask for, 0 to 65,535
     * @param handler handles the calls
     * @return the service, to be closed
     * @throws IllegalArgumentException if the number is out of its range
     * @throws IllegalStateException if the node has a service of this number already, is closed, or is
     *     connection-oriented; or if virtual threads are to run the handler, and this process cannot start any
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits
     */
    static Service open(Node node, int number, CallHandler handler) {
        return open(node, number, handler, ServiceOptions.DEFAULT);
    }

    /**
     * Opens a service.
     *
     * @param node the node to open it on
     * @param number the number that callers ask for, 0 to 65,535
     * @param handler handles the calls
     * @param options how to open it
     * @return the service, to be closed
     * @throws IllegalArgumentException if the number is out of its range
     * @throws IllegalStateException if the node has a service of this number already, is closed, or is
     *     connection-oriented; or if virtual threads are to run the handler, and this process cannot start any
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits
     */
    static Service open(Node node, int number, CallHandler handler, ServiceOptions options) {
        return ServiceImpl.open(node, number, handler, options);
    }

    /**
     * The node it was opened on.
     *
     * @return the node
     */
    Node node();

    /**
     * How many calls are with the handler, or have a long answer that is not known to have been sent yet. A call with a
     * short answer counts as done just before that is sent, so that its caller finds room for the next one.
     *
     * @return 0 to the limit; for a moment more while calls beyond it are being refused
     */
    int underWay();

    /**
     * How many callers there are.
     *
     * @return those that have greeted the service and not said goodbye. One that has died is among them until
     *     {@link KeepAlive} finds its peer down. For one that had only given this process up, its node says goodbye
     *     when it opens its next caller of this service
     */
    int callers();

    /**
     * How many calls were answered, with an answer or a failure that was given to the network. Answers that were
     * dropped because the caller was gone or the service closed are not counted.
     *
     * @return since it was opened
     */
    long answered();

    /**
     * How many calls were refused: too many were under way, the request was too long, there was no memory, no thread or
     * no place in the node's backlog for it, or the service was about to be closed.
     *
     * @return since it was opened
     */
    long refused();

    /**
     * How many calls were dropped because they were late.
     *
     * @return since it was opened
     */
    long late();

    /**
     * How many messages were dropped because they were invalid, including those of another version of jfabric, and of
     * callers that it does not have any more: after a stop of a process, for example, calls that its callers had given
     * up with their session may still come.
     *
     * @return since it was opened
     */
    long invalid();

    /**
     * Tells whether it takes calls.
     *
     * @return false once it or its node is closed, or {@link #drain} has begun
     */
    boolean isOpen();

    /**
     * Takes no more calls, and tells the callers. No handler begins after that, not even for a call that has come
     * already; those that have begun go on, and their answers are dropped: their callers get {@code FI_ECONNRESET},
     * unlike after {@link #drain}. If there are such calls, waits for up to 200 ms until the callers have heard of it.
     * Closing again does nothing.
     */
    @Override
    void close();

    /**
     * Finishes what has come, and closes the service. From now on new calls are refused: their callers get
     * {@code FI_EBUSY}, and no handler has seen them. All calls that had come before are handled and answered, also
     * those that wait for the executor, whose long request is on its way, or whose long answer is still to be fetched.
     * When all answers have gone, the service is closed as by {@link #close()}; a call of that by another thread also
     * ends the wait. Callers then say that they have all answers, so that the node may be closed as well; a silent
     * caller is waited for at most one second.
     *
     * <p>In any case it is closed afterwards: what is still under way after the timeout, or when the thread is
     * interrupted, is cut off. A handler answers its own call before it drains its service, or lets another thread do
     * it; a handler that waits for that thread waits until the timeout.
     *
     * @param timeout how long to wait at most; 0 to not wait
     * @return whether all that had come was answered; false if something was cut off, now or when it was closed before,
     *     or if an answer could not be sent after this was called, or was not fetched in time ({@link Caller}). The
     *     callers of what was cut off get {@code FI_ECONNRESET}. An answer that nobody can want any more is no reason
     *     for false: that of a caller that has said goodbye, or whose {@link Call#peer()} has ended, by
     *     {@link KeepAlive} or the program
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if a handler calls it whose call is not answered yet, and would be waited for; the
     *     service then stays open
     */
    boolean drain(Duration timeout);
}
