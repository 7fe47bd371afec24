// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.info.Capability;
import java.util.List;
import java.util.Map;

/** What of a provider is known to crash, cannot be prevented by the library, and so is left out. */
final class Known {
    /** By the provider; for the published page. */
    static final Map<String, String> REASONS = Map.of(
            "tcp;ofi_rxm", "no message above 16 KiB: its rendezvous crashes the receiver (`rxm_rndv_read`) if the "
                    + "sender's connection broke before the receive was posted, and connections break by wrong keys",
            "udp;ofi_rxd", "no remote memory access and no atomics: a wrong key stops the traffic of both sides, or "
                    + "crashes the target (`rxd_ep_recv_data` divides by the window, which is 0 then)");
    /** Why methods of a type are seldom called, where it is not for the number of calls. */
    static final Map<String, String> SELDOM = Map.of(
            "Profile", "no provider of this build of libfabric has one",
            "MulticastGroup", "only udp has them, and joins of random addresses fail",
            "ScalableEndpoint", "only sockets has them",
            "SharedReceiveContext", "only connected endpoints and sockets have them",
            "SharedTransmitContext", "only sockets has them",
            "DeferredWork", "only sockets has it",
            "Deferral", "only sockets has it",
            "PassiveEndpoint", "only connected endpoints have them",
            "CollectiveGroup", "only `tcp;ofi_rxm` has them, where the capability was asked for");

    /** Requests have up to four buffers. */
    private static final long QUARTER = 4096;

    private Known() {
    }

    /** How long a buffer may be. */
    static long longest(String provider) {
        return provider.endsWith("ofi_rxm") ? QUARTER : Long.MAX_VALUE;
    }

    /** Whether endpoints may be opened with these capabilities; without any, they get all. */
    static boolean allows(String provider, Capability... wishes) {
        return !provider.endsWith("ofi_rxd") || wishes.length > 0 && List.of(wishes).stream().noneMatch(wish ->
                wish == Capability.RMA || wish == Capability.ATOMIC);
    }
}
