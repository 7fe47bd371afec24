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
import io.jfabric.internal.life.FidObject;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The objects of level 1 that a node owns; all of them live below the fabric. A connection-oriented node has events but
 * neither endpoint nor addresses; any other has no events.
 */
public record NodeParts(FabricInfo info, Fabric fabric, Domain domain, AddressVector vector, CompletionQueue queue,
        EventQueue events, Endpoint endpoint, FabricArena memory, List<Waitable> waitables) {
    /** Keeps the program from closing them: the node would stay open, and its receives wait for ever. */
    public void keep() {
        Stream.of(fabric, domain, vector, queue, endpoint).filter(Objects::nonNull).map(FidObject.class::cast)
                .forEach(part -> part.entry().keep("the " + part.kind()
                        + " is a node's: it is closed with the node, by Node.close"));
    }

    /** Closes them all, through their fabric. */
    public void close() {
        ((FidObject) fabric).entry().keep(null);
        try {
            fabric.close();
        } finally {
            if (fabric.isOpen()) {
                keep();
            }
        }
    }
}
