// SPDX-License-Identifier: Apache-2.0
/** Connections: event queues, passive endpoints, requests, and how far a connection has got. */
package io.jfabric.internal.connect;
