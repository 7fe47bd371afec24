// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Sockets;
import java.io.File;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The socket that the provider listens on, which no call reveals. */
public final class ListeningSocket {
    /** Enough for the rest of a request, which comes in one packet with its beginning. */
    private static final long MOST = 1_000_000;
    /**
     * A new endpoint's descriptors are mostly just behind the last one's; with many open, it takes long to list all.
     */
    private static final int NEAR = 16;
    private static volatile int lastFound;
    private static final Log LOG = Log.of(Endpoint.class);

    private ListeningSocket() {
    }

    /**
     * Makes accepted sockets block no longer than a moment. The provider must have begun to listen at that address just
     * now, and go on until this returns: then no other socket listens there.
     */
    public static void limitWaits(Supplier<Address> where) {
        try {
            Address address = where.get();
            int fd = find(BindTrial.decode(address.bytes()));
            if (fd < 0 || !Sockets.limitWaits(fd, MOST)) {
                LOG.debug("who connects to {} may keep the provider waiting: descriptor {}", address, fd);
            }
        } catch (FabricException | IllegalStateException e) {
            LOG.debug("who connects may keep the provider waiting", e);
        }
    }

    /** Closes a socket that the provider has forgotten: it listens at that address, and no thread waits for it. */
    public static void close(Supplier<Address> where) {
        try {
            int fd = find(BindTrial.decode(where.get().bytes()));
            if (fd >= 0) {
                LibC.close(fd);
            }
        } catch (FabricException | IllegalStateException e) {
            LOG.debug("the port of a listener that never listened stays in use", e);
        }
    }

    /**
     * Replaces the socket by one at which nothing happens, as the provider keeps using its number; false if that cannot
     * be done. The provider listens at that address.
     */
    public static boolean silence(Address where) {
        int fd = find(BindTrial.decode(where.bytes()));
        return fd >= 0 && Sockets.silence(fd);
    }

    /** Returns -1 if there is none. */
    static int find(InetSocketAddress where) {
        if (where == null) {
            return -1;
        }
        int last = lastFound;
        int found = IntStream.rangeClosed(last + 1, last + NEAR).filter(fd -> listens(fd, where)).findFirst()
                .orElseGet(() -> findAnywhere(where));
        lastFound = Math.max(0, found);
        return found;
    }

    private static int findAnywhere(InetSocketAddress where) {
        String[] descriptors = new File("/proc/self/fd").list();
        return descriptors == null ? -1 : Arrays.stream(descriptors).mapToInt(Integer::parseInt)
                .filter(fd -> listens(fd, where)).findFirst().orElse(-1);
    }

    private static boolean listens(int fd, InetSocketAddress where) {
        byte[] name = Sockets.name(fd);
        InetSocketAddress there = name == null ? null : BindTrial.decode(name);
        return where.equals(there) && scope(where) == scope(there) && Sockets.isListening(fd);
    }

    /** The same link-local address can exist on several interfaces. */
    private static int scope(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address six ? six.getScopeId() : 0;
    }
}
