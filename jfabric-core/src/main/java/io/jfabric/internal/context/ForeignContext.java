// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * An operation that is not in a slab: its context is the address of a struct that the provider itself uses.
 *
 * @param context what the user gave
 * @param keep the struct and the buffers
 */
record ForeignContext(long context, Object keep) {
}
