// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code rdma_getaddrinfo(3)} answers: a list of addresses, with routes and connection data, best first.
 *
 * <pre>{@code
 * try (RdmaAddressInfo found = RdmaAddressInfo.resolve("storage-7", "7471", RdmaHints.connected());
 *      Hints hints = found.first().addTo(Hints.msg().provider("verbs"));
 *      FabricInfoList infos = Fabric.getInfo(hints)) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Holds memory of librdmacm's until it is closed; one that is forgotten is freed when it becomes garbage. Entries
 * are copies and stay valid. Thread-safe. Resolving may ask name servers and so take seconds, in which a virtual
 * thread holds its carrier.
 */
public final class RdmaAddressInfo implements AutoCloseable, Iterable<RdmaAddress> {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int LONGEST_NODE = 1024;
    private static final int LONGEST_SERVICE = 63;
    private static final int LARGEST_PORT = 65535;

    private final AddressChain chain;
    private final Cleaner.Cleanable cleanable;

    private RdmaAddressInfo(AddressChain chain) {
        this.chain = chain;
        this.cleanable = CLEANER.register(this, chain);
    }

    /**
     * Tells whether librdmacm is there and usable. Does not ask for devices.
     *
     * @return true if {@link #resolve} can call it
     */
    public static boolean isAvailable() {
        return RdmaLibrary.unavailabilityCause() == null;
    }

    /**
     * Why librdmacm cannot be used.
     *
     * @return what {@link #resolve} would throw; empty if it can be used
     */
    public static Optional<UnsatisfiedLinkError> unavailabilityCause() {
        return Optional.ofNullable(RdmaLibrary.unavailabilityCause());
    }

    /**
     * Resolves without hints.
     *
     * @param node name or numeric address of the peer; null for none
     * @param service port from 0 to 65535 or name of a service; null for none
     * @return the answer, to be closed
     * @throws RdmaException if nothing was found, or there is no RDMA device
     * @throws UnsatisfiedLinkError if librdmacm is not usable; the message says what to install
     */
    public static RdmaAddressInfo resolve(@Nullable String node, @Nullable String service) {
        checkTexts(node, service);
        checkPort(service);
        return resolve(node, service, 0, "hints=none");
    }

    /**
     * Resolves a node and service ({@code rdma_getaddrinfo}).
     *
     * @param node name or numeric address of the peer, with {@link RdmaFlag#PASSIVE} of this side; null for none;
     *     at most 1024 bytes
     * @param service port from 0 to 65535 or name of a service; null for none; at most 63 bytes
     * @param hints what is asked for
     * @return the answer, to be closed
     * @throws IllegalArgumentException if node or service cannot be one, or the hints contradict them
     * @throws UnsupportedOperationException if the hints have {@link RdmaFlag#SA} or {@link RdmaFlag#DNS}, and the
     *     library is older than these
     * @throws RdmaException if nothing was found, or there is no RDMA device
     * @throws UnsatisfiedLinkError if librdmacm is not usable; the message says what to install
     */
    public static RdmaAddressInfo resolve(@Nullable String node, @Nullable String service, RdmaHints hints) {
        Objects.requireNonNull(hints, "RdmaAddressInfo.resolve: the hints are null; use RdmaHints.any()");
        checkTexts(node, service);
        check(node, service, hints);
        try (Arena arena = Arena.ofConfined()) {
            return resolve(node, service, NativeHints.of(hints, arena).address(), "hints=" + hints);
        }
    }

    private static RdmaAddressInfo resolve(@Nullable String node, @Nullable String service, long hints,
            String description) {
        RdmaLibrary library = RdmaLibrary.require();
        try (Arena arena = Arena.ofConfined()) {
            RdmaLibrary.Outcome outcome = library.resolve(text(node, arena), text(service, arena), hints);
            if (outcome.result() != 0 || outcome.list() == 0) {
                throw RdmaException.of("rdma_getaddrinfo", "node=" + node + ", service=" + service + ", " + description,
                        outcome.result(), outcome.errno());
            }
            return new RdmaAddressInfo(new AddressChain(library, outcome.list()));
        }
    }

    private static long text(@Nullable String text, Arena arena) {
        return text == null ? MemorySegment.NULL.address() : arena.allocateFrom(text).address();
    }

    private static void check(@Nullable String node, @Nullable String service, RdmaHints hints) {
        boolean sa = hints.flags().contains(RdmaFlag.SA);
        if ((sa || hints.flags().contains(RdmaFlag.DNS)) && !RdmaLibrary.require().knowsSa()) {
            throw new UnsupportedOperationException("RdmaAddressInfo.resolve: the flags " + hints.flags() + " mean"
                    + " nothing to the librdmacm that is installed: RAI_SA and RAI_DNS came with rdma-core 60");
        }
        if (sa && service == null) {
            throw new IllegalArgumentException("RdmaAddressInfo.resolve: service: RAI_SA looks up a service, but there"
                    + " is none");
        }
        if (!sa) {
            checkPort(service);
        }
        // For these C reads what the resolver found as IPv6, whatever it is: behind the end of an IPv4 address.
        if (hints.family() == RdmaFamily.IB && hints.flags().contains(RdmaFlag.NUMERIC_HOST)
                && (node != null || service != null) && !sa && (node == null || node.indexOf(':') < 0)) {
            throw new IllegalArgumentException("RdmaAddressInfo.resolve: node: with AF_IB and RAI_NUMERICHOST it must"
                    + " be a GID, written as an IPv6 address, not " + node);
        }
    }

    private static void checkTexts(@Nullable String node, @Nullable String service) {
        checkText("node", node, LONGEST_NODE);
        checkText("service", service, LONGEST_SERVICE);
    }

    private static void checkText(String argument, @Nullable String text, int longest) {
        if (text == null) {
            return;
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("RdmaAddressInfo.resolve: " + argument + ": a null byte at "
                    + text.indexOf('\0') + " ends it for C; leave it out");
        }
        // in UTF-8 no text is shorter than in characters, nor more than three times as long
        if (text.length() > longest || text.getBytes(StandardCharsets.UTF_8).length > longest) {
            throw new IllegalArgumentException("RdmaAddressInfo.resolve: " + argument + ": it has " + text.length()
                    + " characters, more than " + longest + " bytes; it begins with "
                    + text.substring(0, Math.min(text.length(), 40)));
        }
    }

    // C takes any number and uses its low 16 bits.
    private static void checkPort(@Nullable String service) {
        if (service == null || !service.strip().matches("[+-]?[0-9]+")) {
            return;
        }
        if (!service.matches("[0-9]{1,10}") || Long.parseLong(service) > LARGEST_PORT) {
            throw new IllegalArgumentException("RdmaAddressInfo.resolve: service: " + service
                    + " is not a port; ports go from 0 to " + LARGEST_PORT);
        }
    }

    /**
     * All entries, best first.
     *
     * @return at least one; copies, which outlive this
     * @throws IllegalStateException if this is closed
     */
    public List<RdmaAddress> entries() {
        List<RdmaAddress> entries = chain.read();
        Reference.reachabilityFence(this);
        if (entries == null) {
            throw new IllegalStateException("RdmaAddressInfo: closed; entries that were read before stay valid");
        }
        return entries;
    }

    /**
     * The best entry.
     *
     * @return the first of {@link #entries()}
     * @throws IllegalStateException if this is closed
     */
    public RdmaAddress first() {
        return entries().getFirst();
    }

    /**
     * Goes through the entries.
     *
     * @return an iterator over copies
     * @throws IllegalStateException if this is closed
     */
    @Override
    public Iterator<RdmaAddress> iterator() {
        return entries().iterator();
    }

    /**
     * Tells whether entries can be read.
     *
     * @return false once this is closed
     */
    public boolean isOpen() {
        return !chain.isFreed();
    }

    /** Frees the list ({@code rdma_freeaddrinfo}). Closing twice is allowed. */
    @Override
    public void close() {
        cleanable.clean();
    }

    /** All entries, or that it is closed. */
    @Override
    public String toString() {
        List<RdmaAddress> entries = chain.read();
        return "RdmaAddressInfo" + (entries == null ? "[closed]" : entries.toString());
    }
}
