// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.Waitable;
import io.jfabric.info.FabricInfo;
import java.util.List;

/**
 * The objects of level 1 that a node owns; all of them live below the fabric. A connection-oriented node has events but
 * neither endpoint nor addresses; any other has no events.
 */
public record NodeParts(FabricInfo info, Fabric fabric, Domain domain, AddressVector vector, CompletionQueue queue,
        EventQueue events, Endpoint endpoint, FabricArena memory, List<Waitable> waitables) {
}
