// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.info.Address;

/** With whom an operation is: what its failures say of that. */
public interface Counterpart {
    boolean isConnection();

    boolean isOpen();

    Address networkAddress();
}
