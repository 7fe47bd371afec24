// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A link-local IPv6 address means nothing without its interface. */
class LinkLocalTest {
    private static final int SCOPE = 24;

    private static Address of(String host, int scope) throws UnknownHostException {
        byte[] bytes = InetAddress.getByName(host).getAddress();
        return Address.of(new InetSocketAddress(Inet6Address.getByAddress(null, bytes, scope), 5000));
    }

    private static int scope(Address address) {
        return ByteBuffer.wrap(address.bytes()).order(ByteOrder.nativeOrder()).getInt(SCOPE);
    }

    @Test
    void theInterfaceIsKept() throws UnknownHostException {
        for (String host : new String[] {"fe80::1:2", "ff02::1", "ff01::7"}) {
            Address address = of(host, 3);
            assertThat(scope(address)).as(host).isEqualTo(3);
            Inet6Address again = (Inet6Address) address.toInetSocketAddress().getAddress();
            assertThat(again.getScopeId()).as(host).isEqualTo(3);
            assertThat(Address.of(address.toInetSocketAddress())).isEqualTo(address);
        }
        // the JDK numbers these too, but they are the same on every interface, as libfabric itself has them
        for (String host : new String[] {"fd00::2", "::1", "2001:db8::1", "ff0e::1"}) {
            assertThat(of(host, 3)).isEqualTo(of(host, 0));
        }
    }

    @Test
    void aListenerIsOpenedThere() throws SocketException {
        assumeTrue(Providers.TCP_MSG.isOffered());
        Optional<InetAddress> own = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(a -> a instanceof Inet6Address && a.isLinkLocalAddress()).findAny();
        assumeTrue(own.isPresent(), "no interface has a link-local address");
        Address address = Address.of(new InetSocketAddress(own.get(), 0));
        try (Hints hints = Hints.msg().provider("tcp").addressFormat(AddressFormat.SOCKADDR_IN6);
             FabricInfoList infos = Fabric.getInfo(hints.sourceAddress(address));
             Fabric fabric = Fabric.open(infos.first()); EventQueue events = fabric.openEventQueue();
             PassiveEndpoint listener = fabric.openPassiveEndpoint(infos.first()).bind(events).listen()) {
            assertThat(listener.address().toInetSocketAddress().getAddress()).isEqualTo(own.get());
            assertThat(scope(listener.address())).isEqualTo(((Inet6Address) own.get()).getScopeId());
        }
    }
}
