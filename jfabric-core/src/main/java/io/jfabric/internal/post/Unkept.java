// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;

/** Flags whose promise an endpoint does not keep: its provider takes them, and goes on as if they were not there. */
final class Unkept {
    private static final long FENCE = Libfabric.FI_FENCE();
    private static final long COMMIT = Libfabric.FI_COMMIT_COMPLETE();
    private static final long MATCH = Libfabric.FI_MATCH_COMPLETE();

    private Unkept() {
    }

    /** The bits that requests cannot have. */
    static long of(FabricInfoImpl info) {
        boolean fences = info.endpoint().type() == EndpointType.MSG && info.quirks().has(Quirk.FENCES_UNANNOUNCED);
        return fences ? ofDefaults(info) & ~FENCE : ofDefaults(info);
    }

    /** The bits that cannot be default flags. */
    static long ofDefaults(FabricInfoImpl info) {
        boolean fences = info.capabilities().contains(Capability.FENCE) && !info.quirks().has(Quirk.FENCES_STALL);
        return (fences ? 0 : FENCE)
                | (info.capabilities().contains(Capability.RMA_PMEM) ? 0 : COMMIT)
                | (info.quirks().has(Quirk.MATCHES_UNSEEN) ? MATCH : 0);
    }

    /** Why one of these bits is refused. */
    static FabricException refusal(FabricInfoImpl info, String operation, long bits) {
        return FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider()
                + ((bits & FENCE) != 0 ? fence(info)
                : (bits & COMMIT) != 0 ? " was opened without FI_RMA_PMEM and would complete operations with the flag "
                        + "COMMIT_COMPLETE before the data is persistent: ask for Capability.RMA_PMEM in the hints"
                : " completes messages with the flag MATCH_COMPLETE before anybody has received them: have the "
                        + "receiver answer"));
    }

    private static String fence(FabricInfoImpl info) {
        String remedy = ": wait for the completion of what must come before";
        return info.quirks().has(Quirk.FENCES_STALL)
                ? " may wait for ever with the flag FENCE, and so may the other side" + remedy
                : " was opened without FI_FENCE and would not wait" + remedy
                        + ", or ask for Capability.FENCE in the hints";
    }
}
