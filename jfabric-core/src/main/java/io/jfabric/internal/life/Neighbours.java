// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.List;

/** Objects that know one another's memory, although nothing that was bound or opened says so. */
public interface Neighbours {
    /** Whether others that are open may still use this one's memory: see {@link Parking}. */
    boolean isReferred();

    /** Whether the provider has to keep this one until the process ends, as closing it would crash. */
    boolean mustStay();

    /** Memory that objects which are closed later by the provider may write to, if nothing else is there by then. */
    List<AddressSpace> memory();
}
