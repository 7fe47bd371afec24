// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.info.Capability;
import java.io.IOException;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A benchmark's connection to its peer process. */
@State(Scope.Thread)
public abstract class Link {
    /** Libfabric's name of the provider. */
    @Param("shm")
    public String provider;
    /** The local address to bind to; empty for the provider's choice. */
    @Param("")
    public String node;
    /** Where a peer runs (HOST:PORT, see scripts/bench-jmh --peer); empty for a child process. */
    @Param("")
    public String peer;
    /** Bytes of a message. */
    @Param("8")
    public long bytes;

    PeerLink link;
    Port port;

    abstract Capability[] capabilities();

    /**
     * Connects.
     *
     * @throws IOException if there is no peer
     */
    @Setup(Level.Trial)
    public void open() throws IOException {
        link = new PeerLink(provider, node, peer, bytes, capabilities());
        port = link.port;
    }

    /**
     * Disconnects.
     *
     * @throws IOException if the peer is gone
     */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        link.close();
    }
}
