// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import java.util.Optional;

/**
 * How the insertion of one address went.
 *
 * @param fabricAddress the value to send to; {@link Address#NOT_AVAILABLE} if it failed
 * @param errno 0, or the positive error number
 */
public record AddressInsertion(long fabricAddress, int errno) {
    /**
     * Tells whether the address can be used.
     *
     * @return true if the insertion succeeded
     */
    public boolean isInserted() {
        return errno == 0;
    }

    /**
     * Why the insertion failed.
     *
     * @return the error as a constant, {@link FabricError#UNRECOGNIZED} for a number jfabric does not know; empty if it
     *     succeeded
     */
    public Optional<FabricError> error() {
        return isInserted() ? Optional.empty() : Optional.of(FabricError.ofCode(errno));
    }
}
