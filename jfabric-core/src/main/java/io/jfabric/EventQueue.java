// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.connect.EventQueueImpl;
import io.jfabric.option.EventQueueAttributes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where control operations report: connections, asynchronous insertions, joins (fi_eq(3)). Thread-safe; each event
 * goes to one reader.
 */
public sealed interface EventQueue extends FabricObject, Waitable permits EventQueueImpl {
    /**
     * What the queue was opened with.
     *
     * @return the attributes
     */
    EventQueueAttributes attributes();

    /**
     * Takes the next event, if there is one ({@code fi_eq_read}). On providers without a thread of their own for that,
     * this also moves connections on.
     *
     * @return the event; empty also while another thread is reading
     * @throws EventException if the next entry is an error
     */
    Optional<FabricEvent> poll();

    /**
     * Looks at the next event without taking it ({@code FI_PEEK}). A connection request's info is not handed out.
     *
     * @return the event; empty if there is none, and also while another thread is reading
     * @throws EventException if the next entry is an error; it is left in the queue
     */
    Optional<FabricEvent> peek();

    /**
     * Waits as {@link #await} does, and then looks as {@link #peek()} does ({@code fi_eq_sread} with {@code FI_PEEK}).
     *
     * @param timeout how long to wait
     * @return the event; empty if the time is up or the thread is interrupted
     * @throws EventException if the next entry is an error; it is left in the queue
     * @throws IllegalStateException if the queue is closed meanwhile
     */
    Optional<FabricEvent> peek(Duration timeout);

    /**
     * Waits for the next event ({@code fi_eq_sread}). The queue must have been opened with a wait object. An event that
     * was written by {@link #write} also ends the wait. Waits in slices of 20 ms, between which interrupts and
     * {@link #close()} are noticed: an interrupted thread gets an empty result and stays interrupted.
     *
     * @param timeout how long to wait
     * @return the event; empty if the time is up or the thread is interrupted
     * @throws EventException if the next entry is an error
     * @throws IllegalStateException if the queue is closed meanwhile
     */
    Optional<FabricEvent> await(Duration timeout);

    /**
     * Writes an event of the application ({@code fi_eq_write}) that concerns no object. See
     * {@link #write(int, FabricObject, long, long)}.
     *
     * @param type the number of the event: 0 ({@code FI_NOTIFY}) or 7 and above
     * @param context comes back in {@link FabricEvent.Notify}
     * @param data comes back in {@link FabricEvent.Notify}
     */
    void write(int type, long context, long data);

    /**
     * Writes an event of the application ({@code fi_eq_write}); it wakes a thread in {@link #await}. The queue
     * must be writable. Any thread.
     *
     * @param type the number of the event: 0 ({@code FI_NOTIFY}) or 7 and above; the others are libfabric's own
     * @param source the object it is about, of the same fabric; null for none
     * @param context comes back in {@link FabricEvent.Notify}
     * @param data comes back in {@link FabricEvent.Notify}
     * @throws IllegalArgumentException if the type is one of libfabric's own
     * @throws IllegalStateException if the queue was not opened writable
     */
    void write(int type, @Nullable FabricObject source, long context, long data);
}
