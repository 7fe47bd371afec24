// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whether a UDP socket can join a multicast group, as the provider cannot leave one that it failed to join. */
public final class JoinTrial {
    private static final Path LIMIT = Path.of("/proc/sys/net/ipv4/igmp_max_memberships");
    private static final int USUAL_LIMIT = 20;
    private static final int ANY_PORT = 9;

    private JoinTrial() {
    }

    /**
     * Throws if the system would refuse to join.
     *
     * @param joined the groups that the endpoint has joined
     * @param receives whether the endpoint receives; the provider joins only then, but always leaves
     */
    public static void check(String operation, Address group, List<Address> joined, boolean receives) {
        InetSocketAddress address = BindTrial.decode(group.bytes());
        if (address == null || !(address.getAddress() instanceof Inet4Address)) {
            return;
        }
        if (!receives) {
            throw FabricException.of(operation, -Errno.EOPNOTSUPP, "an endpoint that only sends could not leave the "
                    + "group; open it with the capability RECV");
        }
        InetAddress host = address.getAddress();
        if (!host.isMulticastAddress()) {
            throw FabricException.of(operation, -Errno.EINVAL, group + " is not a multicast address");
        }
        if (joined.stream().anyMatch(other -> BindTrial.decode(other.bytes()).getAddress().equals(host))) {
            throw FabricException.of(operation, -Errno.EADDRINUSE, "the endpoint has joined " + group + " already");
        }
        if (joined.size() >= limit()) {
            throw FabricException.of(operation, -Errno.ENOBUFS, "the endpoint has joined " + joined.size()
                    + " groups, as many as " + LIMIT + " allows");
        }
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            // looks for a route; sends nothing
            channel.connect(new InetSocketAddress(host, ANY_PORT));
        } catch (IOException e) {
            throw FabricException.of(operation, -Errno.ENODEV, "no interface has a route to " + group);
        }
    }

    private static int limit() {
        try {
            return Integer.parseInt(Files.readString(LIMIT).strip());
        } catch (IOException | NumberFormatException e) {
            return USUAL_LIMIT;
        }
    }
}
