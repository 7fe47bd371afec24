// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

/**
 * What a provider can do of a collective operation ({@code struct fi_collective_attr}, fi_collective(3)).
 * {@link Long#MAX_VALUE} says that there is no limit.
 *
 * @param maxCount how many elements one operation takes at most; 0 if the provider does not say
 * @param elementSize in bytes; 0 if the provider does not say
 * @param maxMembers how many endpoints may take part at most; 0 if the provider does not say
 */
public record CollectiveAttributes(long maxCount, long elementSize, long maxMembers) {
}
