// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * What a domain has done so far, and has open. A snapshot.
 *
 * @param operations of all its endpoints, also of those that are closed
 * @param endpoints how many endpoints are open, transmit and receive contexts among them
 * @param regions how many memory regions are open, those that jfabric registered itself among them
 * @param registeredBytes how many bytes these cover; memory that is in two counts twice
 */
public record DomainStatistics(OperationStatistics operations, int endpoints, long regions, long registeredBytes) {
}
