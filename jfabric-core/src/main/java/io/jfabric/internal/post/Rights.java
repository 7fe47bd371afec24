// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.quirk.Quirk;
import java.util.Locale;

/** Which operations an endpoint was opened for. */
public final class Rights {
    private static final long MESSAGE_DIRECTIONS = Libfabric.FI_SEND() | Libfabric.FI_RECV();
    private static final long MEMORY_DIRECTIONS = Libfabric.FI_READ() | Libfabric.FI_WRITE()
            | Libfabric.FI_REMOTE_READ() | Libfabric.FI_REMOTE_WRITE();

    private final FidObject endpoint;
    private final FabricInfoImpl info;
    private final long caps;
    private final long transmitCaps;
    private final long receiveCaps;
    private final boolean tagsCrash;
    private boolean transmits = true;
    private boolean receives = true;
    private boolean receivesElsewhere;

    Rights(FidObject endpoint, FabricInfoImpl info) {
        this.endpoint = endpoint;
        this.info = info;
        boolean unknown = info.quirks().has(Quirk.UNTRUE_INFOS);
        this.caps = unknown ? 0 : info.capabilities().bits();
        this.transmitCaps = unknown ? 0 : info.tx().capabilities().bits();
        this.receiveCaps = unknown ? 0 : info.rx().capabilities().bits();
        this.tagsCrash = info.endpoint().type() == EndpointType.MSG && info.quirks().hasAny(
                Quirk.EARLY_TAGS_AT_CONNECTIONS, Quirk.EARLY_TAGS_AT_CONNECTIONS_OF_NET);
    }

    /** For an object that is only half an endpoint. */
    public void directions(boolean mayTransmit, boolean mayReceive) {
        transmits = mayTransmit;
        receives = mayReceive;
    }

    /** A shared receive context is bound: the endpoint has no receives of its own. */
    public void receiveElsewhere() {
        receivesElsewhere = true;
    }

    /** Refuses operations that the endpoint was not opened for: providers have no lists or queues for them. */
    void require(Capability family, Capability direction) {
        boolean receive = direction == Capability.RECV;
        if (receive && receivesElsewhere) {
            throw refusal(family, "a shared receive context is bound, which has all receives: post them there");
        }
        if (!(receive ? receives : transmits)) {
            throw refusal(family, "a " + endpoint.kind() + (receive ? " does not receive" : " only receives"));
        }
        long own = receive ? receiveCaps : transmitCaps;
        if (lacks(caps, family, null) || lacks(own, family, null)) {
            throw refusal(family, "the endpoint was opened without the capability "
                    + family.nativeName() + ": ask for Capability." + family + " in the hints");
        }
        if (lacks(caps, family, direction) || lacks(own, family, direction)) {
            throw refusal(family, "the endpoint was opened without the capability "
                    + direction.nativeName() + ": ask for Capability." + direction + " in the hints, beside " + family);
        }
        if (family == Capability.TAGGED && tagsCrash) {
            throw refusal(family, "a tagged message that comes to a connection before its receive would crash the "
                    + "receiver: send untagged messages, or tagged ones between endpoints of type FI_EP_RDM");
        }
    }

    private FabricException refusal(Capability family, String why) {
        return FabricException.of("fi_" + family.name().toLowerCase(Locale.ROOT), Errno.EOPNOTSUPP, "provider "
                + info.provider() + ", " + info.endpoint().type().nativeName() + ": " + why);
    }

    /** If no direction was asked for, all were; if there are no capabilities, they are not known. */
    private static boolean lacks(long granted, Capability family, Capability direction) {
        if (granted == 0) {
            return false;
        }
        if (direction == null) {
            return (granted & family.code()) == 0;
        }
        boolean memory = direction == Capability.READ || direction == Capability.WRITE;
        long directions = granted & (memory ? MEMORY_DIRECTIONS : MESSAGE_DIRECTIONS);
        return directions != 0 && (directions & direction.code()) == 0;
    }
}
