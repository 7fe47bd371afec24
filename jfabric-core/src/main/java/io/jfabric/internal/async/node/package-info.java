// SPDX-License-Identifier: Apache-2.0
/** The node, which joins its parts; how it is opened and closed. */
package io.jfabric.internal.async.node;
