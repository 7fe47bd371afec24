// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.context.DomainStatisticsImpl;

/** What a domain has done so far, and has open. A snapshot. */
public sealed interface DomainStatistics permits DomainStatisticsImpl {
    /** {@return the operations of all its endpoints, including those that are closed} */
    OperationStatistics operations();

    /** {@return how many endpoints are open, including transmit and receive contexts} */
    int endpoints();

    /** {@return how many memory regions are open, including those that jfabric registered by itself} */
    long regions();

    /** {@return how many bytes these cover; memory that is in two regions counts twice} */
    long registeredBytes();
}
