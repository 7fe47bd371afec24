// SPDX-License-Identifier: Apache-2.0
/** Netty's buffers as the memory of a node's operations. */
@NullMarked
package io.jfabric.netty;

import org.jspecify.annotations.NullMarked;
