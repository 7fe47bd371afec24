// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Environment;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.library.NativeLibrary;
import io.jfabric.internal.library.Variables;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The quirks that a provider of the loaded libfabric has. Immutable and thread-safe. */
public final class Quirks {
    private static final Map<String, Quirks> BY_PROVIDER = new ConcurrentHashMap<>();

    private static final String HOOK = "FI_HOOK";
    private static final String HOOK_PREFIX = "ofi_hook_";
    private static final String SEGMENTS = "FI_OFI_RXM_SAR_LIMIT";
    private static final String CONNECTIONS = "FI_SOCKETS_DEF_CONN_MAP_SZ";
    /** Each takes 112 bytes, all of which may be touched at once. */
    private static final String MANY_CONNECTIONS = "16384";
    private static final String PATIENCE = "FI_SOCKETS_CONN_TIMEOUT";
    /** A peer that answers at all does so in this time, or the provider's own thread goes on waiting for it. */
    private static final String MILLIS = "100";
    private static final String BUFFERS = "FI_OFI_RXM_BUFFER_SIZE";
    private static final String HEADERLESS = "FI_OFI_RXM_ENABLE_DYN_RBUF";
    private static final String CLEANUP = "FI_AV_REMOVE_CLEANUP";
    private static final String PROGRESS = "FI_OFI_RXM_DATA_AUTO_PROGRESS";
    private static final Set<String> ON = Set.of("1", "yes", "on", "true");
    private static final Set<String> OFF = Set.of("0", "no", "off", "false");

    /** Shorter messages seldom break off, and would feel the two more that it takes to wait for a receive. */
    private static final long SELDOM_BROKEN = 128 << 10;
    /** Before 2.2 the provider's name is made of those of its parts, such as {@code shm+tcp;ofi_rxm:lnx}. */
    private static final String LINKED = ":lnx";
    /** The most that {@code ofi_rxm} copies through its buffers, by default. */
    private static final long BUFFERED = 16 << 10;
    /** The most that {@code shm} copies, so that the sender need not wait for the receiver. */
    private static final long COPIED = 4 << 10;
    /** Leaves as many of the entries of {@code sockets} for others when one peer does not answer; fewer are slower. */
    private static final int FEW = 64;
    /** Less than half of what {@code tcp} keeps: so two groups may be late. Fewer are slower. */
    private static final int MOST_UNASKED = 30;

    /** Versions of the provider, which include the third number of a release. */
    private static final Version VERBS_1_22_1 = new Version(122, 10);
    private static final Version VERBS_2_0 = new Version(200, 0);
    private static final Version VERBS_2_1_1 = new Version(201, 10);

    private final Set<Quirk> quirks;

    private Quirks(Set<Quirk> quirks) {
        this.quirks = quirks;
    }

    /** The quirks of a provider, by its full name such as {@code tcp;ofi_rxm}, or null if that is not known. */
    public static Quirks of(String provider) {
        return BY_PROVIDER.computeIfAbsent(provider == null ? "" : provider,
                name -> of(name, NativeLibrary.version()));
    }

    static Quirks of(String provider, int release) {
        return of(provider, release, hooks(Variables.get(HOOK)));
    }

    static Quirks of(String provider, int release, List<String> hooks) {
        List<String> components = provider.endsWith(LINKED) ? List.of(LINKED.substring(1))
                : List.of(provider.split(";"));
        EnumSet<Quirk> all = EnumSet.noneOf(Quirk.class);
        for (Quirk quirk : Quirk.values()) {
            if (quirk.appliesTo(components, release) || quirk.appliesTo(hooks, release)) {
                all.add(quirk);
            }
        }
        return new Quirks(all);
    }

    /** The hooks between every program and every provider, by their full names, and the variable that asks for them. */
    static List<String> hooks(String value) {
        if (value == null || value.isBlank()) {
            return List.of();
        }
        return Stream.concat(Stream.of(HOOK), Stream.of(value.split(";")).map(each -> each.toLowerCase(Locale.ROOT))
                .map(each -> each.startsWith(HOOK_PREFIX) ? each : HOOK_PREFIX + each)).toList();
    }

    /** Throws if a hook is why the provider cannot do this. */
    public void requireNoHook(Quirk quirk, String operation) {
        if (has(quirk)) {
            throw FabricException.of(operation, Errno.ENOSYS, "the hook that FI_HOOK=" + Variables.get(HOOK)
                    + " puts before the provider would crash, or answer wrong: unset that variable");
        }
    }

    /** Call before opening a fabric of the provider: mends what only environment variables can. */
    public void prepare(EndpointType type) {
        unlessSet(Quirk.SEGMENTS_DO_NOT_FIT, SEGMENTS, "0");
        unlessSet(Quirk.SENDS_CONNECT, PATIENCE, MILLIS);
        if (type != EndpointType.MSG) {
            // each connected endpoint would have that many, and needs only two
            unlessSet(Quirk.PLACES_CHANGE_HANDS, CONNECTIONS, MANY_CONNECTIONS);
        }
    }

    private void unlessSet(Quirk mended, String variable, String value) {
        if (has(mended) && Variables.get(variable) == null) {
            Environment.set(variable, value);
        }
    }

    /** How others may crash an endpoint with {@code COLLECTIVE}; null if they cannot. */
    public String dangerOfCollectives() {
        if (!has(Quirk.TAGGED_WITHOUT_HEADER)) {
            return null;
        }
        String value = Variables.get(HEADERLESS);
        return value != null && saysNo(value) ? null
                : "a tagged message from an endpoint without Capability.COLLECTIVE crashes one that has it, unless all "
                        + "processes run with " + HEADERLESS + "=0";
    }

    private static boolean saysNo(String value) {
        return OFF.contains(value.toLowerCase(Locale.ROOT));
    }

    /** Whether the environment makes the provider progress in a thread of its own, whatever an info says. */
    public boolean makesProgressAnyway() {
        return has(Quirk.PROGRESS_OF_DOMAIN) && saysYes(Variables.get(PROGRESS));
    }

    static boolean saysYes(String value) {
        return value != null && ON.contains(value.toLowerCase(Locale.ROOT));
    }

    /** Whether this version of the provider takes the addresses of an atomic's operands for their values. */
    public boolean takesOperandAddresses(Version provider) {
        return has(Quirk.ATOMIC_OPERAND_ADDRESS) && (!provider.atLeast(VERBS_1_22_1)
                || provider.atLeast(VERBS_2_0) && !provider.atLeast(VERBS_2_1_1));
    }

    /** Whether it is safe to have the provider remove an address. */
    public boolean removesAddresses() {
        if (hasAny(Quirk.REMOVAL_UNMAPS, Quirk.REMOVAL_UNMAPS_BELOW, Quirk.CONNECTIONS_KEEP_NUMBERS,
                Quirk.CONNECTIONS_KEEP_NUMBERS_IN_NET)) {
            return false;
        }
        String cleanup = has(Quirk.REMOVAL_CLOSES_NOTHING) ? Variables.get(CLEANUP) : null;
        return cleanup == null || saysNo(cleanup);
    }

    /** Whether endpoints other than those of type MSG report operations that asked for no completion. */
    public boolean reportUnasked() {
        return hasAny(Quirk.REPORTS_UNASKED, Quirk.REPORTS_UNASKED_IN_NET, Quirk.REPORTS_UNASKED_IN_TCP);
    }

    /** Whether the provider has a quirk. */
    public boolean has(Quirk quirk) {
        return quirks.contains(quirk);
    }

    /** The longest message that does no harm when it comes shortly before its receive, in bytes. */
    public long longestEarlyMessage() {
        if (has(Quirk.EARLY_MESSAGES_STAY)) {
            return BUFFERED;
        }
        return has(Quirk.BROKEN_OFF_MESSAGES) ? SELDOM_BROKEN : Long.MAX_VALUE;
    }

    /** The longest message that does no harm if its receive comes at any time, or never, in bytes. */
    public long longestUnaskedMessage() {
        return has(Quirk.SLOW_PEERS_HOLD_UP_OTHERS) ? Math.min(COPIED, longestEarlyMessage()) : longestEarlyMessage();
    }

    /**
     * Whether even short messages had better not come before their receives.
     *
     * @param masks whether receives ignore bits of their tags
     */
    public boolean wantsReceivesFirst(boolean masks) {
        return masks && has(Quirk.EARLY_TAGS_BY_OTHER_MASKS)
                || hasAny(Quirk.BROKEN_OFF_MESSAGES, Quirk.EARLY_MESSAGES_STAY, Quirk.LATE_RECEIVES_MISLEAD);
    }

    /** How many messages that it may not have asked for a group sends to a peer. */
    public int mostUnaskedMessages() {
        return has(Quirk.UNASKED_STOP_CONNECTIONS) ? MOST_UNASKED : Integer.MAX_VALUE;
    }

    /** A further reason why a peer seems not to answer, to be appended to others; empty if there is none. */
    public String whySilent(boolean isAskedByTwoWays) {
        if (has(Quirk.SILENCE_LASTS)) {
            return ", or did not for more than a minute, after which it never hears from this node again: open another";
        }
        if (has(Quirk.RECEIVES_FILL_UP)) {
            return ", or so many messages wait here for their receives that there is no room for its answers";
        }
        return has(Quirk.UNASKED_STOP_CONNECTIONS) && !isAskedByTwoWays ? ", or its answers are not read here, as an "
                + "untagged message of it or 64 tagged ones (FI_TCP_MAX_SAVED) wait for their receives" : "";
    }

    /** The most operations for one peer that a node has with the provider. */
    public int mostForOnePeer() {
        return hasAny(Quirk.SILENT_PEERS_STOP_OTHERS, Quirk.UNANSWERED_KEEP_PLACES) ? FEW : Integer.MAX_VALUE;
    }

    /** The longest message of several buffers that the provider can take as it is, in bytes. */
    public long longestInPieces() {
        if (!has(Quirk.PIECES_NOT_ASKED_FOR)) {
            return Long.MAX_VALUE;
        }
        String size = Variables.get(BUFFERS);
        try {
            return size == null ? BUFFERED : Math.max(0, Long.parseLong(size));
        } catch (NumberFormatException unclear) {
            return 0;
        }
    }

    /** Whether the provider has one of these quirks; too slow for each operation. */
    public boolean hasAny(Quirk... any) {
        return Arrays.stream(any).anyMatch(quirks::contains);
    }
}
