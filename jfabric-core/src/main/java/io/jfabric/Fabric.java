// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Parameter;
import io.jfabric.info.Provider;
import io.jfabric.info.Version;
import io.jfabric.internal.domain.FabricImpl;
import io.jfabric.option.EventQueueAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The front door of libfabric, and an open fabric: a network that a provider reaches (fi_fabric(3)).
 *
 * <p>The static methods tell what there is. {@link #getInfo(Hints)} finds providers, {@link #open} opens a network,
 * {@link #openDomain} a device on it. Thread-safe.
 */
public sealed interface Fabric extends FabricObject permits FabricImpl {
    /**
     * Tells whether a usable libfabric could be loaded. Loads it at the first call.
     *
     * @return false if nothing else here will work; {@link #unavailabilityCause()} then says why
     */
    static boolean isAvailable() {
        return FabricImpl.isAvailable();
    }

    /**
     * Why libfabric could not be loaded: every path tried with its reason, and what to install.
     *
     * @return the error that every use of libfabric throws; empty if libfabric is available
     */
    static Optional<UnsatisfiedLinkError> unavailabilityCause() {
        return FabricImpl.unavailabilityCause();
    }

    /**
     * The release of jfabric itself, for logs and reports; libfabric need not be there.
     *
     * @return such as {@code 0.1.0}; {@code unknown} if whatever repackaged jfabric left its resources out
     */
    static String jfabricVersion() {
        return FabricImpl.jfabricVersion();
    }

    /**
     * The release of the loaded libfabric ({@code fi_version}), to be compared; {@link #versionText()} has all of it.
     *
     * @return such as 2.1
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static Version version() {
        return FabricImpl.version();
    }

    /**
     * The release of the loaded libfabric as it is written in full ({@code fi_tostr} of {@code FI_TYPE_VERSION}).
     *
     * @return such as {@code 2.1.0}
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static String versionText() {
        return FabricImpl.versionText();
    }

    /**
     * The API version that jfabric asks libfabric for: the older of the loaded release and the one jfabric was
     * generated from.
     *
     * @return such as 1.17
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static Version apiVersion() {
        return FabricImpl.apiVersion();
    }

    /**
     * The library that was loaded.
     *
     * @return the path of the file, links followed; the name by which it was asked for where the system does not tell
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static String libraryPath() {
        return FabricImpl.libraryPath();
    }

    /**
     * Finds ways to reach the network ({@code fi_getinfo}).
     *
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first; to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches; the message says which hint is to blame
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static FabricInfoList getInfo(@Nullable Hints hints) {
        return FabricImpl.getInfo(hints);
    }

    /**
     * Finds ways to reach a peer, or to be reached ({@code fi_getinfo}).
     *
     * @param node host name or address of the peer, with {@link GetInfoFlag#SOURCE} of this side; null for any
     * @param service port or service name; null for any
     * @param flags how to read the other arguments
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first; to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches or the node is unknown; the message says which
     *     hint is to blame
     * @throws IllegalArgumentException if there is a null byte in node or service, or the service is a number above
     *     65,535 where addresses are those of IP
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static FabricInfoList getInfo(@Nullable String node, @Nullable String service, Set<GetInfoFlag> flags,
            @Nullable Hints hints) {
        return FabricImpl.getInfo(node, service, flags, hints);
    }

    /**
     * Like {@link #getInfo(String, String, Set, Hints)}, for programs to which "no match" is an answer and not an
     * error. It is faster if there is none, as it does not ask again to find out why.
     *
     * @param node host name or address of the peer, with {@link GetInfoFlag#SOURCE} of this side; null for any
     * @param service port or service name; null for any
     * @param flags how to read the other arguments
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first, to be closed; empty for {@code FI_ENODATA}
     * @throws FabricException for every other error
     * @throws IllegalArgumentException as {@link #getInfo(String, String, Set, Hints)} does
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static Optional<FabricInfoList> findInfo(@Nullable String node, @Nullable String service, Set<GetInfoFlag> flags,
            @Nullable Hints hints) {
        return FabricImpl.findInfo(node, service, flags, hints);
    }

    /**
     * Why hints match nothing: asks again with each hint dropped in turn.
     *
     * @param hints the hints
     * @return one human-readable line, even if something matches
     */
    static String explain(Hints hints) {
        return FabricImpl.explain(hints);
    }

    /**
     * The providers in the loaded libfabric ({@code FI_PROV_ATTR_ONLY}), including those that find no device here.
     *
     * @return name and version of each
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static List<Provider> providers() {
        return FabricImpl.providers();
    }

    /**
     * The run-time parameters of libfabric and its providers ({@code fi_getparams}).
     *
     * @return name, type, help and value of each
     * @throws UnsatisfiedLinkError if libfabric could not be loaded; {@link #unavailabilityCause()} is the same
     */
    static List<Parameter> parameters() {
        return FabricImpl.parameters();
    }

    /**
     * Sets a run-time parameter of libfabric's, as an environment variable would. Works before libfabric is first
     * asked for anything, when it reads them all.
     *
     * @param name such as {@code FI_PROVIDER}
     * @param value the value; null to unset it
     * @throws IllegalArgumentException if the name does not start with {@code FI_} or has a {@code =} in it
     * @throws IllegalStateException if libfabric has read its parameters already
     */
    static void setParameter(String name, @Nullable String value) {
        FabricImpl.setParameter(name, value);
    }

    /**
     * All objects of jfabric that are open in this process, and where they were opened. For finding leaks, and for
     * seeing what a program does; {@link OpenObject#tree} shows it as text.
     *
     * @return the oldest first, including those that are garbage but not yet collected, and nodes that are garbage but
     *     whose thread goes on
     */
    static List<OpenObject> openObjects() {
        return FabricImpl.openObjects();
    }

    /**
     * Opens the fabric of an info ({@code fi_fabric}).
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @return the fabric, to be closed
     * @throws IllegalArgumentException if the provider's name was changed in the info, or there is nothing else in it
     * @throws FabricException if the provider fails: {@code FI_ENODATA} if it has no device here; {@code FI_ENOSYS} for
     *     {@code lnx} of libfabric 2.0 and 2.1, which would crash
     */
    static Fabric open(FabricInfo info) {
        return FabricImpl.open(info);
    }

    /**
     * Opens the fabric of an info with provider-specific flags ({@code fi_fabric2}).
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @param flags as the provider documents them; 0 for none
     * @return the fabric, to be closed
     * @throws IllegalArgumentException as for {@link #open(FabricInfo)}
     * @throws FabricException as for {@link #open(FabricInfo)}; {@code FI_ENOSYS} if there are flags and libfabric is
     *     older than 2.0
     */
    static Fabric open(FabricInfo info, long flags) {
        return FabricImpl.open(info, flags);
    }

    /**
     * Finds what this open fabric offers ({@code fi_getinfo} with {@code fi_fabric_attr.fabric}).
     *
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first; to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches
     */
    FabricInfoList offers(@Nullable Hints hints);

    /**
     * Opens a device of this fabric ({@code fi_domain}). {@link Domain#info()} is what was opened, with more locks than
     * {@code info} asks for where the provider needs them.
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @return the domain
     * @throws IllegalArgumentException if the info is for another provider or fabric, or names no domain
     * @throws FabricException if the provider cannot open it
     */
    Domain openDomain(FabricInfo info);

    /**
     * Opens a device of this fabric with provider-specific flags ({@code fi_domain2}).
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @param flags as the provider documents them; 0 for none
     * @return the domain
     * @throws IllegalArgumentException as for {@link #openDomain(FabricInfo)}
     * @throws FabricException as for {@link #openDomain(FabricInfo)}; {@code FI_ENOSYS} if there are flags and the
     *     provider knows none
     */
    Domain openDomain(FabricInfo info, long flags);

    /**
     * Opens a queue for control events with the provider's default size, for polling and blocking reads.
     *
     * @return the queue
     * @throws FabricException if the provider cannot open it
     */
    EventQueue openEventQueue();

    /**
     * Opens a queue for control events ({@code fi_eq_open}).
     *
     * @param attributes size and wait object
     * @return the queue
     * @throws IllegalArgumentException if the size is out of its range
     * @throws FabricException if the provider cannot open it; {@code FI_ENOSYS} or {@code FI_EINVAL} where it does not
     *     have the wait object: the message says which one works
     */
    EventQueue openEventQueue(EventQueueAttributes attributes);

    /**
     * Tells whether a thread may now block on the file descriptors of these objects ({@code fi_trywait}). Allocates.
     * Once an endpoint of one of them was closed, some providers (shm, sm2, {@code ofi_rxm}, {@code ofi_rxd}) cannot be
     * asked any more; where all threads may come ({@link io.jfabric.info.Threading#SAFE}), lnx and shm before 1.19
     * never can. The answer is then false, after 50 us, so that loops that poll and ask again take little time.
     *
     * @param objects queues, counters and wait sets of this fabric that have file descriptors
     * @return false if one of them has something to read: read it until there is nothing, then ask again
     * @throws IllegalArgumentException if one of them was opened without a wait object or to wait by yielding, or
     *     belongs to another fabric
     * @throws FabricException if the provider cannot tell
     */
    boolean tryWait(Waitable... objects);

    /**
     * Opens an endpoint that listens for connections ({@code fi_passive_ep}).
     *
     * @param info a result of type {@link io.jfabric.info.EndpointType#MSG}, asked for with
     *     {@link GetInfoFlag#SOURCE} to listen at a certain address; not needed afterwards
     * @return the endpoint
     * @throws IllegalArgumentException if the info is for another provider or fabric, or for endpoints that do not
     *     connect
     * @throws FabricException if the provider cannot open it
     */
    PassiveEndpoint openPassiveEndpoint(FabricInfo info);

    /**
     * The provider's name.
     *
     * @return such as {@code tcp;ofi_rxm}
     */
    String provider();

    /**
     * The API version this fabric was opened with ({@code fid_fabric.api_version}).
     *
     * @return the version
     */
    Version openedApiVersion();
}
