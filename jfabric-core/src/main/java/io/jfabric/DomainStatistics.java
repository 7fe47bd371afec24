// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * What a domain has done so far, and has open. A snapshot.
 *
 * @param operations of all its endpoints, including those that are closed
 * @param endpoints how many endpoints are open, including transmit and receive contexts
 * @param regions how many memory regions are open, including those that jfabric registered by itself
 * @param registeredBytes how many bytes these cover; memory that is in two regions counts twice
 */
public record DomainStatistics(OperationStatistics operations, int endpoints, long regions, long registeredBytes) {
}
