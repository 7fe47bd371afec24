// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.FabricException;
import io.jfabric.info.Address;

/** The other side of an operation, as its failures describe it. */
public interface Counterpart {
    boolean isConnection();

    boolean isOpen();

    /** Why it failed; null while it is open, or if the program ended it. */
    FabricException whyEnded();

    Address address();
}
