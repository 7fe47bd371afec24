// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;

/** Whether a UDP socket can be bound to an address: where the provider would fail and keep its socket. */
public final class BindTrial {
    private BindTrial() {
    }

    /** Throws what the provider would answer to an address, a {@code struct sockaddr}, if it cannot be bound. */
    public static void check(String operation, Address source) {
        InetSocketAddress address = decode(source.bytes());
        if (address != null && !canBind(address)) {
            boolean isLocal = address.getPort() != 0 && canBind(new InetSocketAddress(address.getAddress(), 0));
            throw FabricException.of(operation, -(isLocal ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL),
                    "source address " + source);
        }
    }

    /** False only if the address is what is wrong. */
    private static boolean canBind(InetSocketAddress address) {
        boolean six = address.getAddress() instanceof Inet6Address;
        try (DatagramChannel channel = DatagramChannel.open(
                six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET)) {
            channel.bind(address);
            return true;
        } catch (BindException e) {
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }

    /** Null if it is of no family that is known here. */
    static InetSocketAddress decode(byte[] bytes) {
        Address address = Address.of(AddressFormat.SOCKADDR, bytes);
        return address.isInet() ? address.toInetSocketAddress() : null;
    }
}
