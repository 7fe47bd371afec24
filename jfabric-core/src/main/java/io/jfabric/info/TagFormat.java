// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Arguments;

/**
 * What the bits of a tag mean to the provider: values for {@link EndpointAttributes#memTagFormat(long)} since libfabric
 * 2.0 (fi_endpoint(3)).
 */
public enum TagFormat implements FabricConstant {
    /** All bits are the application's. */
    BITS(Libfabric.FI_TAG_BITS()),
    /** A message tag in the low 32 bits and a payload identifier, such as a communicator's, in the next 8. */
    MPI(Libfabric.FI_TAG_MPI()),
    /** For collective communication libraries: exact tags, no wildcards. */
    CCL(Libfabric.FI_TAG_CCL());

    /** For {@code ignore}: any message tag of format {@link #MPI} ({@code FI_MPI_IGNORE_TAG}). */
    public static final long MPI_IGNORE_TAG = 0xffff_ffffL;
    /** For {@code ignore}: any payload identifier of format {@link #MPI} ({@code FI_MPI_IGNORE_PAYLOAD}). */
    public static final long MPI_IGNORE_PAYLOAD = 0xff_0000_0000L;
    private static final Version SINCE = new Version(2, 0);

    private final long code;

    TagFormat(long code) {
        this.code = code;
    }

    /**
     * A tag of format {@link #MPI} ({@code fi_tag_mpi}).
     *
     * @param tag the message tag
     * @param payload the payload identifier, 0 to 255
     * @return the tag
     */
    public static long mpiTag(int tag, int payload) {
        Arguments.range("payload", payload, 0, 0xff);
        return (long) payload << Integer.SIZE | Integer.toUnsignedLong(tag);
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_TAG_" + name();
    }

    @Override
    public Version since() {
        return SINCE;
    }
}
