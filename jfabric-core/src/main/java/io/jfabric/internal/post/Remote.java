// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.RemoteRegion;
import io.jfabric.internal.ffi.Arguments;

/** How a provider addresses a place in a peer's region. */
public final class Remote {
    private Remote() {
    }

    /** The address of an offset, after checking that the range is inside the region. */
    public static long address(RemoteRegion region, String operation, long offset, long size) {
        Arguments.given(region, operation, "the peer's region");
        if ((offset | size) < 0 || size > region.byteSize() - offset) {
            throw new IndexOutOfBoundsException(operation + ": offset " + offset + " and length " + size
                    + " are not inside the peer's region of " + region.byteSize() + " bytes");
        }
        return region.base() + offset;
    }
}
