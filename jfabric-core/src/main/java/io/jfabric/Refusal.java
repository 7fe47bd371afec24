// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.Errno;

/** Why a provider did not take an operation, and what to do about it. */
final class Refusal {
    private static final int EOPBADSTATE = 258;

    private Refusal() {
    }

    static FabricException of(FabricInfo info, String operation, long result) {
        return FabricException.of(operation, result, "provider " + info.provider() + ", "
                + info.endpoint().type().nativeName() + advice(info, operation, result));
    }

    static String advice(FabricInfo info, String operation, long result) {
        return switch ((int) -result) {
            case Errno.ENOSYS -> "; it does not have the operation, ask for the capability in the hints";
            case EOPBADSTATE -> "; is the endpoint enabled?";
            case Errno.EINVAL, Errno.EMSGSIZE -> operation.contains("inject")
                    ? "; inject takes at most " + info.tx().injectSize() + " bytes"
                    : "; the largest message is " + info.endpoint().maxMessageSize() + " bytes";
            default -> "";
        };
    }
}
