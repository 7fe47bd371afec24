// SPDX-License-Identifier: Apache-2.0
/**
 * Tests over real providers without special hardware: {@link io.jfabric.testkit.FabricTest} runs a test on every
 * provider that the machine offers, and gives it a {@link io.jfabric.testkit.NodePair} or a
 * {@link io.jfabric.testkit.NodeGroup} of the everyday layer, a {@link io.jfabric.testkit.Pair} of endpoints or a
 * {@link io.jfabric.testkit.Connected} listener and client; {@link io.jfabric.testkit.ChildJvm} is a peer in a
 * process of its own, to be killed, stopped and started again.
 *
 * <p>These are the contract, together with {@link io.jfabric.testkit.Providers}, {@link io.jfabric.testkit.Side} and
 * {@link io.jfabric.testkit.Done}, which they show. {@link io.jfabric.testkit.Bytes},
 * {@link io.jfabric.testkit.FreePort}, {@link io.jfabric.testkit.Leftovers}, {@link io.jfabric.testkit.Loopback} and
 * {@link io.jfabric.testkit.Waits} are
 * for jfabric's own tests, and may change in any release.
 */
@NullMarked
package io.jfabric.testkit;

import org.jspecify.annotations.NullMarked;
