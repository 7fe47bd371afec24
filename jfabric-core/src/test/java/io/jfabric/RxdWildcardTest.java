// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Providers;
import java.net.InetSocketAddress;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An endpoint of {@code ofi_rxd} at {@code ::} hears from IPv4 peers, and then from no other. */
class RxdWildcardTest {
    @BeforeEach
    void isOffered() {
        Providers.RXD.assumeOffered();
    }

    private static FabricInfoList at(String node) {
        try (Hints hints = Providers.RXD.hints()) {
            return Fabric.getInfo(node, null, Set.of(GetInfoFlag.SOURCE), hints);
        }
    }

    private static Endpoint open(Domain domain, FabricInfo info) {
        return domain.openEndpoint(info).bind(domain.openAddressVector())
                .bind(domain.openCompletionQueue(CompletionFormat.MSG), BindFlag.TRANSMIT, BindFlag.RECV);
    }

    private static void refused(Endpoint endpoint) {
        assertThatThrownBy(endpoint::enable).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fi_enable").hasMessageContaining("[::]")
                .hasMessageContaining("the address of one interface");
    }

    @Test
    void isNotEnabledForBothFamilies() {
        try (FabricInfoList infos = at("::"); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            refused(open(domain, infos.first()));
        }
    }

    @Test
    void norIfTheAddressIsSetLater() {
        try (FabricInfoList infos = at("::1"); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            Endpoint endpoint = open(domain, infos.first());
            try {
                endpoint.setAddress(Address.of(new InetSocketAddress("::", 0)));
            } catch (FabricException refused) {
                return;
            }
            refused(endpoint);
        }
    }

    @Test
    void isEnabledElsewhere() {
        for (String node : new String[] {"::1", "0.0.0.0"}) {
            try (FabricInfoList infos = at(node); Fabric fabric = Fabric.open(infos.first());
                 Domain domain = fabric.openDomain(infos.first())) {
                open(domain, infos.first()).enable();
            }
        }
    }

    /** The provider finds one when it is enabled. */
    @Test
    void isEnabledWithoutAnAddress() {
        try (FabricInfoList infos = at("::1"); FabricInfo nowhere = infos.first().duplicate();
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
            nowhere.sourceAddress((Address) null);
            Endpoint endpoint;
            try {
                endpoint = open(domain, nowhere).enable();
            } catch (FabricException refused) {
                return;
            }
            assertThat(endpoint.address().toInetSocketAddress().getAddress().isAnyLocalAddress()).isFalse();
        }
    }
}
