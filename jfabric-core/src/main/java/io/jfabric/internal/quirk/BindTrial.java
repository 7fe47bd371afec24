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
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Predicate;

/** Checks whether a socket can be bound to an address, where the provider would fail and leak what it has opened. */
public final class BindTrial {
    private BindTrial() {
    }

    /** Throws what the provider would answer if an address, a {@code struct sockaddr}, cannot be bound. */
    public static void check(String operation, Address source) {
        check(operation, source, BindTrial::canBind);
    }

    /** As {@link #check(String, Address)}, for the address of a TCP listener. */
    public static void checkListener(String operation, Address source) {
        check(operation, source, BindTrial::canListen);
    }

    private static void check(String operation, Address source, Predicate<InetSocketAddress> can) {
        InetSocketAddress address = decode(source.bytes());
        if (address != null && !isRefusedByJdk(address) && !can.test(address)) {
            boolean isLocal = address.getPort() != 0 && can.test(new InetSocketAddress(address.getAddress(), 0));
            throw FabricException.of(operation, -(isLocal ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL),
                    "source address " + source);
        }
    }

    /** The JDK binds no socket to 127.x.y.255, which Linux and providers do. */
    private static boolean isRefusedByJdk(InetSocketAddress address) {
        byte[] ip = address.getAddress().getAddress();
        return ip.length == 4 && ip[0] == 127 && ip[3] == -1;
    }

    private static StandardProtocolFamily family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
    }

    /** As {@link #canBind}, for TCP; does not listen. */
    private static boolean canListen(InetSocketAddress address) {
        try (SocketChannel channel = SocketChannel.open(family(address))) {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address);
            return true;
        } catch (BindException e) {
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }

    /** False only if the address is the problem. */
    private static boolean canBind(InetSocketAddress address) {
        try (DatagramChannel channel = DatagramChannel.open(family(address))) {
            channel.bind(address);
            return true;
        } catch (BindException e) {
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            return true;
        }
    }

    /** Null for an address family that is not known here. */
    static InetSocketAddress decode(byte[] bytes) {
        Address address = Address.of(AddressFormat.SOCKADDR, bytes);
        return address.isInet() ? address.toInetSocketAddress() : null;
    }
}
