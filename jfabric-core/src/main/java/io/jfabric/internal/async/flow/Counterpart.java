// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.FabricException;
import io.jfabric.info.Address;

/** With whom an operation is: what its failures say of that. */
public interface Counterpart {
    boolean isConnection();

    boolean isOpen();

    /** What was wrong with it; null while it is open, and after its end by the program. */
    FabricException whyEnded();

    Address address();
}
