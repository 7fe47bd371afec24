// SPDX-License-Identifier: Apache-2.0
/**
 * What the headers' inline functions do: calls through an object's tables of functions, by the shape of their
 * arguments.
 */
package io.jfabric.internal.ops;
