// SPDX-License-Identifier: Apache-2.0
/**
 * Collective operations made of tagged messages: each is a {@link io.jfabric.internal.group.Schedule} of rounds, run by
 * the completions of its messages.
 */
package io.jfabric.internal.group;
