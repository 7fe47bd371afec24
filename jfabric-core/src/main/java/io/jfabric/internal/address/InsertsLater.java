// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

/** An address vector, for which events tell that insertions are done. */
public interface InsertsLater {
    /** The event of the insertion with that token, see {@link InsertionEvents#begin}, has been read. */
    void inserted(long token);
}
