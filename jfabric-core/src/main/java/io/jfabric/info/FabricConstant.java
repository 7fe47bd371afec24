// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

/** A constant of libfabric's headers: a bit of a flags word or a value of an enumeration. */
public interface FabricConstant {
    /** The release that stands for all constants without a release of their own. */
    Version FIRST = new Version(1, 0);

    /**
     * The value C code uses.
     *
     * @return the bit or number
     */
    long code();

    /**
     * The name C code uses.
     *
     * @return such as {@code FI_EP_RDM}
     */
    String nativeName();

    /**
     * The first release of libfabric that gives this constant its meaning.
     *
     * @return the release; {@link #FIRST} for all that 1.17 knows
     */
    default Version since() {
        return FIRST;
    }
}
