// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.io.IOException;

/** The other side has sent what this protocol does not have. */
final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1;

    ProtocolException(String message) {
        super(message);
    }
}
