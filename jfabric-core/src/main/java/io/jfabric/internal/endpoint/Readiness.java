// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;

/** What must be bound before fi_enable. Some providers do not look, and follow a null pointer later. */
final class Readiness {
    private static final String UNLESS = ", or ask for capabilities that need none";
    private static final String ALWAYS = "; this provider needs it whatever the endpoint does";

    private Readiness() {
    }

    static void checkVector(boolean bound) {
        if (!bound) {
            throw new IllegalStateException("fi_enable: bind an address vector first, operations look their "
                    + "destination up in it");
        }
    }

    static void checkQueues(FabricInfoImpl info, boolean transmit, boolean receive) {
        if (needsQueues(info)) {
            Flags<Capability> caps = info.capabilities();
            boolean sends = caps.contains(Capability.SEND) || caps.contains(Capability.READ)
                    || caps.contains(Capability.WRITE);
            boolean receives = caps.contains(Capability.RECV);
            check("TRANSMIT", transmit || receives && !sends, UNLESS);
            check("RECV", receive || sends && !receives, UNLESS);
        }
        Quirks quirks = info.quirks();
        boolean connected = info.endpoint().type() == EndpointType.MSG;
        boolean both = quirks.has(Quirk.NEEDS_BOTH_QUEUES)
                || connected && quirks.has(Quirk.NEEDS_BOTH_QUEUES_OF_TCP);
        boolean receives = quirks.has(Quirk.NEEDS_RECEIVE_QUEUE) || connected && quirks.hasAny(
                Quirk.REMOTE_DATA_NEEDS_QUEUE, Quirk.REMOTE_DATA_NEEDS_QUEUE_OF_NET);
        check("TRANSMIT", transmit || !both, ALWAYS);
        check("RECV", receive || !both && !receives, ALWAYS);
    }

    private static void check(String direction, boolean present, String otherwise) {
        if (!present) {
            throw new IllegalStateException("fi_enable: bind a completion queue for " + direction + " first"
                    + otherwise);
        }
    }

    /** Whether the provider takes queues for granted; others may count completions only. */
    static boolean needsQueues(FabricInfoImpl info) {
        return info.quirks().has(Quirk.NEEDS_QUEUES);
    }
}
