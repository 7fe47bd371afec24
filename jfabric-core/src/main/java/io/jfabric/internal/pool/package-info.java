// SPDX-License-Identifier: Apache-2.0
/** Pools of memory. */
package io.jfabric.internal.pool;
