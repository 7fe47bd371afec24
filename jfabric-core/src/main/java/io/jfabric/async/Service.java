// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.call.service.ServiceImpl;

/**
 * Answers the calls of {@link Caller}s: each goes to a handler. Bounded: beyond {@link ServiceOptions#limit()} calls
 * under way, or the memory for large requests, callers get {@code FI_EBUSY} at once. What arrives is checked before it
 * is believed; whoever can reach the node can call.
 *
 * <p>Who calls is known by the address that he gives, so that answers reach him, and nobody else is asked for it.
 * Thread-safe.
 */
public sealed interface Service extends AutoCloseable permits ServiceImpl {
    /**
     * Opens a service with {@link ServiceOptions#DEFAULT}: each call has a virtual thread of its own.
     *
     * @param node where
     * @param number what callers ask for, 0 to 65,535
     * @param handler answers
     * @return the service, to be closed
     * @throws IllegalStateException if the node has a service of this number
     */
    static Service open(Node node, int number, CallHandler handler) {
        return open(node, number, handler, ServiceOptions.DEFAULT);
    }

    /**
     * Opens a service.
     *
     * @param node where
     * @param number what callers ask for, 0 to 65,535
     * @param handler answers
     * @param options how
     * @return the service, to be closed
     * @throws IllegalStateException if the node has a service of this number
     */
    static Service open(Node node, int number, CallHandler handler, ServiceOptions options) {
        return ServiceImpl.open(node, number, handler, options);
    }

    /**
     * How many calls are with the handler.
     *
     * @return 0 to the limit
     */
    int underWay();

    /**
     * How many callers there are.
     *
     * @return those that have said hello and not goodbye
     */
    int callers();

    /**
     * How many calls were answered, with answers or failures.
     *
     * @return since it was opened
     */
    long answered();

    /**
     * How many calls were refused because too many were under way.
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
     * How many messages were dropped because they made no sense.
     *
     * @return since it was opened
     */
    long invalid();

    /**
     * Tells whether it takes calls.
     *
     * @return false once it or its node is closed
     */
    boolean isOpen();

    /** Takes no more calls; callers are told. What the handler answers later goes nowhere. Again does nothing. */
    @Override
    void close();
}
