// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every field of every info, read through Java's attributes, is what libfabric's own fi_tostr prints. */
class InfoRenderingTest {
    private static final Pattern BEYOND_JAVA = Pattern.compile("(?<=: )\\d{19,20}$");
    private static final String NO_LIMIT = Long.toUnsignedString(-1);

    @BeforeEach
    void needsLibfabric() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    @Test
    void javaReadsWhatLibfabricPrints() {
        int seen = 0;
        seen += compare(() -> Fabric.getInfo(null));
        seen += compare(() -> Fabric.getInfo(null, null, Set.of(GetInfoFlag.PROV_ATTR_ONLY), null));
        for (EndpointType type : List.of(EndpointType.RDM, EndpointType.MSG, EndpointType.DGRAM)) {
            seen += compare(() -> {
                try (Hints hints = Hints.create().endpointType(type)) {
                    return Fabric.getInfo(hints);
                }
            });
        }
        seen += compare(() -> {
            try (Hints hints = Hints.create().capabilities(Capability.TAGGED, Capability.RMA, Capability.ATOMIC)) {
                return Fabric.getInfo("127.0.0.1", "47592", Set.of(), hints);
            }
        });
        seen += compare(() -> Fabric.getInfo("::1", "47592", Set.of(GetInfoFlag.NUMERICHOST), null));
        assertThat(seen).isGreaterThan(20);
    }

    /** Libfabric would read on behind its end. */
    @Test
    void anAddressThatIsTooShortIsNotPrinted() {
        try (Hints hints = Hints.create()) {
            byte[] short4 = {2, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
            hints.sourceAddress(Address.of(AddressFormat.SOCKADDR_IB, short4));
            assertThat(hints.toString()).contains("src_addr: (null)").doesNotContain("fi_sockaddr_ib://");
            assertThat(hints.sourceAddress()).isPresent();
            hints.sourceAddress(Address.of(AddressFormat.SOCKADDR_IN, short4));
            assertThat(hints.toString()).contains("fi_sockaddr_in://127.0.0.1:0");
        }
    }

    /** What both print alike: psm3 has changed the text of its addresses, and Java has one number for "no limit". */
    private static List<String> shown(FabricInfo info, String text) {
        boolean changed = info.provider().equals("psm3") && Fabric.version().atLeast(new Version(2, 2));
        return InfoRenderer.known(text).lines().map(line -> BEYOND_JAVA.matcher(line).replaceFirst(
                        number -> Long.parseUnsignedLong(number.group()) < 0 ? NO_LIMIT : number.group()))
                .filter(line -> !changed || !line.matches(" +(src|dest)_addr: .*")).toList();
    }

    private static int compare(Supplier<FabricInfoList> query) {
        try (FabricInfoList infos = query.get()) {
            for (FabricInfo info : infos) {
                assertThat(shown(info, InfoRenderer.render(info))).as(info.provider())
                        .containsExactlyElementsOf(shown(info, info.toString()));
            }
            return infos.size();
        }
    }
}
