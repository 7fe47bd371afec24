// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.testkit.Providers;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** jfabric asks for the API that both sides know, and neither sends nor reads what the loaded library has not. */
class VersionNegotiationTest {
    private static final Version HEADERS = new Version(2, 1);

    @BeforeEach
    void needsLibfabric() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    @Test
    void asksForTheOlderOfHeadersAndLibrary() {
        Version loaded = Fabric.version();
        assertThat(Fabric.apiVersion()).isEqualTo(loaded.compareTo(HEADERS) < 0 ? loaded : HEADERS);
        try (FabricInfoList infos = Fabric.getInfo(null)) {
            assertThat(infos).allSatisfy(info ->
                    assertThat(info.fabric().apiVersion()).as(info.summary()).isEqualTo(Fabric.apiVersion()));
        }
        try (FabricInfoList infos = Fabric.getInfo(null); Fabric fabric = Fabric.open(infos.first())) {
            assertThat(fabric.openedApiVersion()).isEqualTo(Fabric.apiVersion());
        }
    }

    @Test
    void versionsCompareAsNumbers() {
        assertThat(List.of(new Version(2, 1), new Version(1, 9), new Version(1, 17), new Version(1, 20)).stream()
                .sorted().map(Version::toString)).containsExactly("1.9", "1.17", "1.20", "2.1");
        assertThat(Version.ofCode(new Version(2, 1).code())).isEqualTo(new Version(2, 1));
        assertThat(Version.ofCode(2 << 16 | 1).major()).isEqualTo(2);
        assertThat(Version.ofCode(2 << 16 | 1).minor()).isEqualTo(1);
        assertThat(new Version(1, 20).atLeast(new Version(1, 20))).isTrue();
        assertThat(new Version(1, 20).atLeast(new Version(2, 0))).isFalse();
    }

    /** Bit 48 was FI_VARIABLE_MSG before it became FI_EXACT_DIRECTED_RECV, so an old library must not get it. */
    @Test
    void refusesConstantsThatTheLibraryTakesForSomethingElse() {
        try (Hints hints = Hints.create()) {
            for (Capability capability : Capability.values()) {
                if (capability.since().compareTo(Fabric.version()) > 0
                        && capability.since() != FabricConstant.FIRST) {
                    for (Consumer<Capability> setter : List.<Consumer<Capability>>of(hints::capabilities,
                            c -> hints.tx().capabilities(c), c -> hints.rx().capabilities(c),
                            c -> hints.domain().capabilities(c))) {
                        assertThatThrownBy(() -> setter.accept(capability)).isInstanceOf(FabricException.class)
                                .hasMessageContaining("FI_ENOSYS").hasMessageContaining(capability.nativeName())
                                .hasMessageContaining("needs libfabric " + capability.since())
                                .hasMessageContaining("the loaded one is " + Fabric.version());
                    }
                    Flags<Capability> asRead = Flags.ofBits(Capability.class, capability.code());
                    assertThat(asRead.contains(capability)).isFalse();
                    assertThat(asRead.unknown()).isEqualTo(capability.code());
                } else {
                    hints.capabilities(capability);
                    assertThat(hints.capabilities().contains(capability)).isTrue();
                }
            }
            if (!Fabric.version().atLeast(new Version(2, 0))) {
                long newer = Arrays.stream(Capability.values()).filter(c -> c.since().major() == 2).count();
                assertThat(newer).as("the loop above has tried some").isEqualTo(3);
            }
        }
    }

    /** What lies behind the end of an older fi_domain_attr belongs to malloc. */
    @Test
    void trailingFieldsAreNotReadFromOlderLibraries() {
        try (FabricInfoList infos = Fabric.getInfo(null); Hints hints = Hints.create()) {
            trailing(infos, hints, new Version(1, 20), i -> i.domain().limits().maxEndpointAuthKeys(),
                    h -> h.domain().limits().maxEndpointAuthKeys(3), "max_ep_auth_key");
            trailing(infos, hints, new Version(2, 0), i -> i.domain().limits().maxGroupId(),
                    h -> h.domain().limits().maxGroupId(3), "max_group_id");
        }
    }

    private static void trailing(FabricInfoList infos, Hints hints, Version since, ToLongFunction<FabricInfo> getter,
            Consumer<Hints> setter, String field) {
        if (Fabric.version().atLeast(since)) {
            setter.accept(hints);
            assertThat(infos).allSatisfy(info -> assertThat(getter.applyAsLong(info)).isBetween(0L, 1L << 32));
            return;
        }
        assertThat(infos).allSatisfy(info -> assertThat(getter.applyAsLong(info)).as(field).isZero());
        assertThatThrownBy(() -> setter.accept(hints)).isInstanceOf(FabricException.class)
                .hasMessageContaining("FI_ENOSYS").hasMessageContaining(since.toString())
                .hasMessageContaining(Fabric.version().toString());
    }

    /** Of the releases and providers that the tests run on none has them: an older library, or an empty entry. */
    @Test
    void operationsThatAreNotThereSaySo() {
        try (FabricInfoList infos = Providers.connectionless().findFirst().orElseThrow().find(hints -> { });
             Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first()); AddressVector av = domain.openAddressVector()) {
            // a newer one is asked about addresses that are there only
            Runnable first = Fabric.version().atLeast(new Version(1, 20)) ? () -> av.lookupAuthKey(1)
                    : () -> av.setUserId(0, 1);
            for (Runnable call : List.of(first, () -> av.insertAuthKey(new byte[8]), () -> av.lookupAuthKey(0))) {
                assertThatThrownBy(call::run).isInstanceOf(FabricException.class)
                        .hasMessageContaining("FI_ENOSYS").hasMessageContaining("1.20")
                        .hasMessageContaining(Fabric.version().toString());
            }
        }
    }
}
