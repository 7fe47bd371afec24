// SPDX-License-Identifier: Apache-2.0
/** The peers of a node, from the address to the end. */
package io.jfabric.internal.async.peer;
