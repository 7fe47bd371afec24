// SPDX-License-Identifier: Apache-2.0
/** The network of groups: a node's messages, and when they may be sent. */
package io.jfabric.internal.async.group;
