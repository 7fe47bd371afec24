// SPDX-License-Identifier: Apache-2.0
/** Completion queues, counters, and the ways to wait for them. */
package io.jfabric.internal.queue;
