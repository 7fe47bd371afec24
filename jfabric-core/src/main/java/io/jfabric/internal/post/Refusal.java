// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;

/** Why a provider did not take an operation, and what to do about it. */
public final class Refusal {
    private Refusal() {
    }

    public static FabricException of(FabricInfoImpl info, String operation, long result) {
        return FabricException.of(operation, result, "provider " + info.provider() + ", "
                + info.endpoint().type().nativeName() + advice(info, operation, result));
    }

    /** For a buffer that is too long to inject. */
    public static FabricException tooLong(FabricInfoImpl info, String operation, long length) {
        return FabricException.of(operation, Errno.EMSGSIZE, Long.toUnsignedString(length) + " bytes, provider "
                + info.provider() + "; inject takes at most " + Long.toUnsignedString(info.tx().injectSize())
                + " bytes");
    }

    /** Whether the provider will take the operation later. */
    public static boolean isBusy(FabricInfoImpl info, String operation, long result) {
        return result == -Errno.EAGAIN || result == -Errno.ENOMEM && operation.contains("recv")
                && info.quirks().has(Quirk.FULL_IS_NO_MEMORY);
    }

    private static String advice(FabricInfoImpl info, String operation, long result) {
        return switch ((int) -result) {
            case Errno.ENOSYS -> info.capabilities().contains(Capability.COLLECTIVE)
                    ? "; it does not have the operation, though it has others that were asked for"
                    : "; it does not have the operation, ask for the capability in the hints";
            case Errno.EOPBADSTATE -> "; is the endpoint enabled?";
            case Errno.EINVAL -> info.sourceAddress().map(source -> "; can the peer be reached from this endpoint's "
                    + "address " + source + "?").orElse("");
            case Errno.EMSGSIZE -> operation.contains("inject")
                    ? "; inject takes at most " + Long.toUnsignedString(info.tx().injectSize()) + " bytes"
                    : "; the largest message is " + Long.toUnsignedString(info.endpoint().maxMessageSize()) + " bytes";
            case Errno.ENOENT -> operation.contains("recv") ? "" : "; has the peer's endpoint been closed?";
            default -> "";
        };
    }
}
