// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.HexFormat;

/** For tests: which buffers of an endpoint's region are free. */
public final class RegionBuffers {
    /** As much as says which is the next, and not what is in them: {@code struct smr_freestack}. */
    private static final int HEADER_BYTES = 28;

    private RegionBuffers() {
    }

    /** The same as before if, as far as can be seen, the same ones are free. */
    public static String free(Path file) throws IOException {
        RegionLayout layout = SharedRegion.read(file).layout();
        try (RandomAccessFile region = new RandomAccessFile(file.toFile(), "r")) {
            region.seek(layout.buffers());
            region.seek(Long.reverseBytes(region.readLong()));
            byte[] header = new byte[HEADER_BYTES];
            region.readFully(header);
            return HexFormat.of().formatHex(header);
        }
    }
}
