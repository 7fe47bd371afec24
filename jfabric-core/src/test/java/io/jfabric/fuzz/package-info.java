// SPDX-License-Identifier: Apache-2.0
/**
 * Calls every public method in random order with random arguments, in a JVM that may crash, under a parent that watches
 * it. {@link io.jfabric.fuzz.Fuzz} is where to begin; {@link io.jfabric.fuzz.Scene} is the only class that knows how
 * jfabric is used.
 */
package io.jfabric.fuzz;

