// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.info.FabricInfo;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;

/** How many bits of a tag a provider carries: some have fewer than 64, and cut off the rest without a word. */
public final class TagBits {
    /** Values below this name a format (FI_TAG_MAX_FORMAT), and say nothing about the width. */
    private static final long FORMATS = 1 << 16;

    private TagBits() {
    }

    /** Counted from the lowest bit. */
    public static int of(FabricInfo info) {
        if (Quirks.of(info.provider()).has(Quirk.ECHOES_TAG_FORMAT)) {
            return Long.SIZE;
        }
        long format = info.endpoint().memTagFormat();
        return Long.compareUnsigned(format, FORMATS) < 0 ? Long.SIZE : Long.SIZE - Long.numberOfLeadingZeros(format);
    }

    /** The bits that it does not carry. */
    public static long missing(FabricInfo info) {
        int bits = of(info);
        return bits == Long.SIZE ? 0 : -1L << bits;
    }
}
