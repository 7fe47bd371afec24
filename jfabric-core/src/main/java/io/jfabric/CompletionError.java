// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.internal.queue.CompletionErrorImpl;

/** An error entry of a completion queue ({@code struct fi_cq_err_entry}, fi_cq(3)). Immutable and thread-safe. */
public sealed interface CompletionError permits CompletionErrorImpl {
    /** {@return what the operation was posted with} */
    long context();

    /** {@return the kind of operation} */
    Flags<CompletionFlag> flags();

    /** {@return how many bytes were transferred; 0 where the provider does not tell (tcp since 1.18)} */
    long length();

    /** {@return how many bytes did not fit into the buffer ({@code olen}); 0 where the provider does not tell} */
    long overflow();

    /** {@return the address of the buffer where the provider reports it} */
    long buffer();

    /** {@return immediate data, if {@link #flags()} has it} */
    long data();

    /** {@return the tag of a tagged message} */
    long tag();

    /** {@return the positive error number} */
    int errno();

    /** {@return the provider's own number} */
    int providerErrno();

    /** {@return the provider's own text} */
    String text();

    /**
     * More from the provider, such as the raw address of an unknown sender.
     *
     * @return a copy; empty for none
     */
    byte[] errorData();

    /**
     * Who sent a message that was too long.
     *
     * @return the sender, if known; for {@link FabricError#EADDRNOTAVAIL} with authorization keys in the address
     *     vector, the sender's key; otherwise {@link Address#NOT_AVAILABLE}
     */
    long source();

    /**
     * The error as a constant.
     *
     * @return the constant, {@link FabricError#UNRECOGNIZED} for a number jfabric does not know
     */
    FabricError error();

    /**
     * The error as an exception.
     *
     * @return a new exception
     */
    FabricException toException();
}
