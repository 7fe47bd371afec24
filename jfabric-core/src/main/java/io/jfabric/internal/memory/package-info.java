// SPDX-License-Identifier: Apache-2.0
/** Memory regions, and arenas that cannot be pulled away under an operation. */
package io.jfabric.internal.memory;
