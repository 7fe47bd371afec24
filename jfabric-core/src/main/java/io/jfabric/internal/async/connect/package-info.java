// SPDX-License-Identifier: Apache-2.0
/** Connections: listeners, offers, and what is being made. */
package io.jfabric.internal.async.connect;
