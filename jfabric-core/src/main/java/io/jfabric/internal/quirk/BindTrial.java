// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;

/** Whether a UDP socket can be bound to an address: where the provider would fail and keep its socket. */
public final class BindTrial {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int IPV4_BYTES = 16;
    private static final int IPV6_BYTES = 28;

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
        if (bytes.length < IPV4_BYTES) {
            return null;
        }
        int family = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getShort(0);
        ByteBuffer struct = ByteBuffer.wrap(bytes);
        int port = struct.getShort(2) & 0xFFFF;
        try {
            if (family == AF_INET) {
                byte[] host = new byte[4];
                struct.get(4, host);
                return new InetSocketAddress(InetAddress.getByAddress(host), port);
            }
            if (family == AF_INET6 && bytes.length >= IPV6_BYTES) {
                byte[] host = new byte[16];
                struct.get(8, host);
                int scope = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(24);
                return new InetSocketAddress(Inet6Address.getByAddress(null, host, scope == 0 ? -1 : scope), port);
            }
            return null;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
