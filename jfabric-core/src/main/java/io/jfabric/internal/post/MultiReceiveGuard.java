// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Capability;
import io.jfabric.info.Mode;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.EndpointOption;

/**
 * For providers that write a message which does not fit into the rest of a multi-receive buffer beyond its end
 * ({@link Quirk#MULTI_RECEIVE_OVERRUNS}). That cannot happen if a buffer is given back as soon as its rest is smaller
 * than the largest message; only the application knows that size.
 */
public final class MultiReceiveGuard {
    private static final long MULTI = Libfabric.FI_MULTI_RECV();

    private final boolean overruns;
    private final boolean early;
    private final boolean isOfShared;
    private final boolean fallSilent;
    private final boolean hasPrefix;
    private final boolean hasTagged;
    private final String provider;
    private final EndpointState endpoint;
    /** The provider, if it lacks multi-receives; else null. */
    private String lacking;
    private LargestMessage largest = new LargestMessage();

    MultiReceiveGuard(Quirks quirks, FabricInfoImpl info, EndpointState endpoint) {
        this.endpoint = endpoint;
        provider = info.provider();
        // a provider that lacks it takes the flag, and receives one message
        lacking = info.capabilities().contains(Capability.MULTI_RECV) ? null : provider;
        isOfShared = quirks.hasAny(Quirk.SHARED_TAKE_SEVERAL, Quirk.SHARED_TAKE_SEVERAL_IN_NET);
        fallSilent = quirks.has(Quirk.MULTI_RECEIVES_FALL_SILENT);
        hasPrefix = info.rx().mode().contains(Mode.MSG_PREFIX) && info.endpoint().messagePrefixSize() > 0;
        hasTagged = info.capabilities().contains(Capability.TAGGED);
        early = quirks.has(Quirk.EARLY_MIN_MULTI_RECV);
        overruns = overruns(quirks);
    }

    private static boolean overruns(Quirks quirks) {
        return quirks.hasAny(Quirk.MULTI_RECEIVE_OVERRUNS, Quirk.MULTI_RECEIVE_OVERRUNS_IN_RXM);
    }

    /** It is a shared receive context, and nobody uses it yet. */
    void shared() {
        if (isOfShared) {
            lacking = null;
        }
    }

    /** Throws if the option would be taken, but have no effect. */
    private void checkTime(EndpointOption<?> option, boolean enabled) {
        if (early && enabled && isMinimum(option)) {
            throw new IllegalStateException("fi_setopt(" + option + "): set it before the endpoint is enabled: the "
                    + "provider looks at it then");
        }
    }

    /** Some providers take a transmit context for a receive context, and write to whatever is there. */
    public static void checkWhose(String operation, EndpointOption<?> option, boolean receives) {
        if (!receives && isMinimum(option)) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, option + " is an option of what receives; this is a "
                    + "transmit context");
        }
    }

    /** Throws for a value of 0: providers would keep a full buffer, and take a message for it that never ends. */
    public static void checkValue(EndpointOption<?> option, Object value) {
        if (isMinimum(option) && value instanceof Number number && number.longValue() == 0) {
            throw new IllegalArgumentException("fi_setopt(" + option + "): 0 would never give a buffer back; 1 does "
                    + "once it is full");
        }
    }

    /** For an alias: the provider keeps one minimum for both. */
    public void sharesMinimum(MultiReceiveGuard other) {
        largest = other.largest;
    }

    /** Some providers set it for all receive contexts, whatever they rely on. */
    public static void checkForAll(Quirks quirks, EndpointOption<?> option) {
        if (isMinimum(option) && overruns(quirks)) {
            throw FabricException.of("fi_setopt", Errno.EOPNOTSUPP, option + " tells how large the messages to one "
                    + "receive context are: set it of each receive context");
        }
    }

    /**
     * Sets an option by the given action. With {@link EndpointOption#MIN_MULTI_RECV} the application says how large its
     * messages are. One thread at a time.
     */
    public void set(EndpointOption<?> option, Object value, boolean enabled, Runnable action) {
        if (!isMinimum(option)) {
            action.run();
            return;
        }
        checkTime(option, enabled);
        long next = value instanceof Number number ? number.longValue() : 0;
        long now = largest.change(next);
        try {
            action.run();
            now = next;
        } finally {
            largest.is(now);
        }
    }

    /** Whether it is {@link EndpointOption#MIN_MULTI_RECV}, by whatever name. */
    public static boolean isMinimum(EndpointOption<?> option) {
        return option != null && option.code() == EndpointOption.MIN_MULTI_RECV.code();
    }

    public void check(String operation, long length) {
        checkThere(operation);
        checkReported(operation, endpoint.receiveFlags());
        checkRoom(operation, length);
    }

    /** Whether receives with the default flags need {@link #checkPlain}. */
    public boolean looksAtEach() {
        return overruns;
    }

    /** Checks a receive with the default flags; inside, where they stay what they are. */
    public void checkPlain(String operation, long length) {
        if ((endpoint.receiveFlags() & MULTI) != 0) {
            checkRoom(operation, length);
        }
    }

    /** Checks a multi-receive that the default flags ask for, which {@link #checkDefault} has allowed. */
    public void checkRoom(String operation, long length) {
        checkLength(operation, length);
        if (!overruns) {
            return;
        }
        long most = largest.relyOn(length);
        if (most <= 0) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "the provider writes beyond the end of a "
                    + "multi-receive buffer when a message is larger than what is left of it; set the endpoint's "
                    + "option MIN_MULTI_RECV to the size of the largest message that peers will send, before enable()");
        }
        if (length < most) {
            throw new IllegalArgumentException(operation + ": the multi-receive buffer has " + length
                    + " bytes, but messages may have " + most + " (option MIN_MULTI_RECV)");
        }
    }

    /** Some providers take a message for an empty buffer that never ends, and none after that. */
    private static void checkLength(String operation, long length) {
        if (length == 0) {
            throw new IllegalArgumentException(operation + ": a multi-receive buffer needs at least 1 byte");
        }
    }

    private void checkThere(String operation) {
        if (lacking != null) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "MULTI_RECV needs Capability.MULTI_RECV, which this "
                    + "endpoint was not opened with; ask for it in the hints, or post a receive for each message where "
                    + "provider " + lacking + " does not have it");
        }
        if (hasPrefix) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "the endpoint's info demands a prefix before each "
                    + "message (FI_MSG_PREFIX), for which a multi-receive buffer has room only once: post a receive "
                    + "for each message");
        }
    }

    private void checkReported(String operation, long receiveFlags) {
        if (fallSilent && !endpoint.contexts().reportsAllReceives(receiveFlags)) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "the provider reports only the first message of a "
                    + "multi-receive buffer over a queue bound with SELECTIVE_COMPLETION, and never gives it back: "
                    + "bind the queue for receives without, or ask for COMPLETION in the operation flags of rx()");
        }
    }

    /** Checks default flags, but for what depends on each receive. */
    public void checkDefault(long receiveFlags) {
        if ((receiveFlags & MULTI) == 0) {
            return;
        }
        checkThere("receive flags");
        checkReported("receive flags", receiveFlags);
        if (overruns && hasTagged) {
            // some take tagged receives for untagged ones then, or end the process
            throw FabricException.of("receive flags", Errno.EOPNOTSUPP, "with provider " + provider + ", MULTI_RECV "
                    + "cannot be a default flag of an endpoint with Capability.TAGGED: ask for MSG alone in the "
                    + "hints, or use receiveMulti, or a request with that flag");
        }
    }
}
