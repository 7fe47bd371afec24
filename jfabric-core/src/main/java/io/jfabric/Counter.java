// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.option.CounterAttributes;
import java.time.Duration;

/**
 * Counts completed operations without saying which they were (fi_cntr(3)). Values are unsigned; some providers count in
 * 32 bits, and what has no place there can be neither set nor added. Thread-safe as far as the domain's threading level
 * allows.
 *
 * <p>On tcp, operations that end with their connection, or are cancelled there, are counted as failed once the
 * completion queue of their endpoint has reported them.
 */
public sealed interface Counter extends FabricObject, Waitable permits CounterImpl {
    /**
     * What the counter was opened with.
     *
     * @return the attributes
     */
    CounterAttributes attributes();

    /**
     * The value ({@code fi_cntr_read}). Drives progress.
     *
     * @return how many operations succeeded
     */
    long read();

    /**
     * The number of failures ({@code fi_cntr_readerr}).
     *
     * @return how many operations failed
     */
    long readErrors();

    /**
     * Adds to the value ({@code fi_cntr_add}).
     *
     * @param value what to add
     * @throws IllegalArgumentException if the provider has no place for it: sockets counts in 32 bits
     */
    void add(long value);

    /**
     * Sets the value ({@code fi_cntr_set}).
     *
     * @param value the new value
     * @throws IllegalArgumentException if the provider has no place for it: sockets counts in 32 bits
     */
    void set(long value);

    /**
     * Adds to the number of failures ({@code fi_cntr_adderr}).
     *
     * @param value what to add
     * @throws IllegalArgumentException if the provider has no place for it: sockets counts in 32 bits
     */
    void addErrors(long value);

    /**
     * Sets the number of failures ({@code fi_cntr_seterr}).
     *
     * @param value the new value
     * @throws IllegalArgumentException if the provider has no place for it: sockets counts in 32 bits
     */
    void setErrors(long value);

    /**
     * The default flags of operations on the counter ({@code FI_GETOPSFLAG}).
     *
     * @return the flags
     * @throws FabricException {@code FI_ENOSYS} where the provider has none
     */
    Flags<OperationFlag> operationFlags();

    /**
     * Changes the default flags of operations on the counter ({@code FI_SETOPSFLAG}). Not while other threads use it.
     *
     * @param flags the flags
     * @throws FabricException {@code FI_ENOSYS} where the provider has none
     */
    void setOperationFlags(Flags<OperationFlag> flags);

    /**
     * Waits until the value reaches a threshold ({@code fi_cntr_wait}). The counter must have been opened with a wait
     * object. Where the provider's own wait is known to ignore its timeout, or to use up what other operations need
     * (cxi), this polls instead. Waits in slices of 20 ms, between which interrupts and {@link #close()} are noticed.
     *
     * @param threshold the value to wait for
     * @param timeout how long to wait
     * @return true if it was reached, false if the time is up or the thread is interrupted, which it stays
     * @throws FabricException {@code FI_EAVAIL} if an operation failed meanwhile
     * @throws IllegalStateException if the counter is closed meanwhile
     */
    boolean await(long threshold, Duration timeout);
}
