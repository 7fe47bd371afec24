// SPDX-License-Identifier: Apache-2.0
/**
 * The inline layer: what the headers' inline functions do, and the library itself. Only here are downcalls and raw
 * addresses.
 */
package io.jfabric.internal.ffi;
