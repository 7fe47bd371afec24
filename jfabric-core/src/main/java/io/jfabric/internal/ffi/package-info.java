// SPDX-License-Identifier: Apache-2.0
/**
 * The way to C: handles of downcalls, raw memory, structs, what is called of the C library, and what the system says of
 * processes.
 */
package io.jfabric.internal.ffi;
