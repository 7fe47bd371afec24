// SPDX-License-Identifier: Apache-2.0
/** Netty's buffers as the memory of a node's operations. */
package io.jfabric.netty;
