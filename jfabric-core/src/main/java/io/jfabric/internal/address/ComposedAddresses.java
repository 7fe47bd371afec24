// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

/** Addresses that no vector hands out: made of one that it has and a number. */
public final class ComposedAddresses {
    private ComposedAddresses() {
    }

    public static long ofReceiveContext(long address, int index, int receiveContextBits) {
        if (receiveContextBits < 1 || receiveContextBits > 31) {
            throw new IllegalArgumentException("fi_rx_addr: receiveContextBits: " + receiveContextBits
                    + " is not between 1 and 31");
        }
        if (index < 0 || index >= 1L << receiveContextBits) {
            throw new IllegalArgumentException("fi_rx_addr: receive context " + index + " does not fit in "
                    + receiveContextBits + " bits; open the address vector with more receiveContextBits, 31 at most");
        }
        return (long) index << 64 - receiveContextBits | address;
    }

    public static long ofGroup(long address, int groupId) {
        return Integer.toUnsignedLong(groupId) << 32 | address;
    }
}
