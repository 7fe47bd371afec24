// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.domain.ProfileImpl;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The provider's own counts for a domain or endpoint (fi_profile(3), libfabric 2). Few builds of libfabric have them.
 * Not thread-safe.
 */
public sealed interface Profile extends FabricObject permits ProfileImpl {
    /** Told of an event; see {@link #registerCallback}. */
    @FunctionalInterface
    interface Callback {
        /**
         * Something happened.
         *
         * @param event what happened
         * @param data what the provider says of it, read-only; {@link MemorySegment#NULL} if it says nothing. Not to
         *     be used after the call
         */
        void happened(Variable event, MemorySegment data);
    }

    /**
     * Something that is counted, or that happens ({@code struct fi_profile_desc}).
     *
     * @param id its number
     * @param size of its value, in bytes
     * @param name its name
     * @param description what it is
     */
    record Variable(int id, long size, String name, String description) {
    }

    /**
     * What can be read ({@code fi_profile_query_vars}).
     *
     * @return the variables
     */
    List<Variable> variables();

    /**
     * What changes them ({@code fi_profile_query_events}).
     *
     * @return the events
     */
    List<Variable> events();

    /**
     * Registers a callback for an event ({@code fi_profile_register_callback}). It replaces the event's former
     * callback, and ends with this profile.
     *
     * <p>The provider calls it in whatever thread drives its progress, in the middle of an operation and maybe with
     * locks held: it must be quick, must not block, and the only method of jfabric that it may call is {@link #read} of
     * this profile. What it throws is logged as a warning.
     *
     * @param event the number of one of the {@link #events()}
     * @param callback what to call
     * @throws IllegalArgumentException if the profile has no such event
     * @throws FabricException {@code FI_ENOSYS} where the provider has no callbacks
     */
    void registerCallback(int event, Callback callback);

    /**
     * The value of a variable of 8 bytes ({@code fi_profile_read_u64}).
     *
     * @param id its number
     * @return the value, unsigned
     * @throws FabricException {@code FI_EOPNOTSUPP} if the provider does not count it
     */
    long read(int id);

    /** Sets all counts to 0 ({@code fi_profile_reset}). */
    void reset();

    /**
     * Stops the counts, so that what is read now belongs together ({@code fi_profile_start_reads}).
     *
     * @throws FabricException {@code FI_EOPNOTSUPP} if the provider cannot do that
     */
    void startReads();

    /** Lets the counts go on ({@code fi_profile_end_reads}). */
    void endReads();
}
