// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.info.HintsImpl;
import org.jspecify.annotations.Nullable;

/**
 * What an application asks of a provider: the hints of fi_getinfo(3).
 *
 * <p>An attribute that is not set means "any". New hints already accept every mode and memory registration mode that
 * jfabric handles by itself, so that providers which demand them (verbs, psm3, efa ...) are offered too.
 *
 * <p>Setters return this. Closing frees native memory at once; hints that nobody closes are freed when they become
 * garbage, so forgetting to close them is not a leak. Closing twice is allowed; everything else then fails with
 * {@link IllegalStateException}. Not thread-safe.
 */
public sealed interface Hints extends Info<Hints>, AutoCloseable permits HintsImpl {
    /**
     * Hints that accept everything jfabric can handle ({@code fi_allocinfo}).
     *
     * @return new hints, to be closed
     */
    static Hints create() {
        return HintsImpl.create();
    }

    /**
     * Hints for reliable messages to any number of peers: endpoints of type {@code RDM} with messages, tagged messages
     * and remote memory access, whose completions name the sender.
     *
     * @return new hints
     */
    static Hints rdm() {
        return HintsImpl.create().endpointType(EndpointType.RDM).capabilities(Capability.MSG, Capability.TAGGED,
                Capability.RMA, Capability.SOURCE);
    }

    /**
     * Hints for connections: endpoints of type {@code MSG} with messages and remote memory access.
     *
     * @return new hints
     */
    static Hints msg() {
        return HintsImpl.create().endpointType(EndpointType.MSG).capabilities(Capability.MSG, Capability.RMA);
    }

    /**
     * Hints for datagrams, which may get lost: endpoints of type {@code DGRAM} with messages.
     *
     * @return new hints
     */
    static Hints dgram() {
        return HintsImpl.create().endpointType(EndpointType.DGRAM).capabilities(Capability.MSG);
    }

    /**
     * Hints with every attribute zero, modes included ({@code fi_allocinfo}): for those who want to state the modes
     * themselves.
     *
     * @return new hints, to be closed
     */
    static Hints empty() {
        return HintsImpl.empty();
    }

    /**
     * Hints that ask for what an info or other hints describe ({@code fi_dupinfo}).
     *
     * @param info what to copy
     * @return new hints, to be closed
     */
    static Hints copyOf(Info<?> info) {
        return HintsImpl.copyOf(info);
    }

    /**
     * Asks for an endpoint type.
     *
     * @param type the type
     * @return this
     */
    Hints endpointType(EndpointType type);

    /**
     * Asks for a provider.
     *
     * @param name such as {@code tcp}, {@code shm} or {@code tcp;ofi_rxm}; null for any
     * @return this
     */
    Hints provider(@Nullable String name);

    /**
     * Promises that one thread at a time uses the domain and all that is opened from it, and that the same polling
     * drives everything: {@code FI_THREAD_DOMAIN}, {@code FI_PROGRESS_MANUAL} for data, and
     * {@code FI_PROGRESS_CONTROL_UNIFIED} if the loaded library knows it. The providers of libfabric 2 then leave out
     * their locks, which takes a fifth off a round trip within one process on shared memory, on slower machines up to
     * 40 %; with older libraries it saves little. If another thread uses the domain all the same, it takes it over,
     * safely but slowly. Has no effect on a {@link io.jfabric.async.Node}, which always opens its domain with
     * {@link Threading#SAFE}.
     *
     * @return this
     */
    Hints oneThread();

    /** Frees the native memory. */
    @Override
    void close();
}
