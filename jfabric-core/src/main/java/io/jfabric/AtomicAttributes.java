// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * What a provider says of an atomic operation ({@code struct fi_atomic_attr}).
 *
 * @param maxCount how many elements one operation may have
 * @param elementSize size of one element, in bytes
 */
public record AtomicAttributes(long maxCount, long elementSize) {
}
