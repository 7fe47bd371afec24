// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.Endpoint;

/** An object that connection events are about. */
public interface Connected {
    /** How far its connection has got. */
    Connection connection();

    /** Its public face. */
    Endpoint endpoint();
}
