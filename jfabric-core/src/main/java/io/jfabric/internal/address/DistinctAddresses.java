// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The different addresses that a vector has ever had, where the provider keeps removed ones and must not have many. */
final class DistinctAddresses {
    /** A table of 1,024 less place 0; some are left for senders that the provider enters by itself. */
    static final int MOST = 1000;

    private final Set<ByteBuffer> known = new HashSet<>();

    /** Enters all of them, or none and throws. */
    synchronized void enter(List<byte[]> addresses) {
        Set<ByteBuffer> added = new HashSet<>();
        for (byte[] address : addresses) {
            ByteBuffer key = ByteBuffer.wrap(address.clone());
            if (!known.contains(key)) {
                added.add(key);
            }
        }
        if (known.size() + added.size() > MOST) {
            throw FabricException.of("fi_av_insert", Errno.ENOSPC, "a vector of this provider takes " + MOST
                    + " different addresses in its life, also where some were removed: with more, removing one or "
                    + "closing it never ends; open a second vector with endpoints of its own");
        }
        known.addAll(added);
    }
}
