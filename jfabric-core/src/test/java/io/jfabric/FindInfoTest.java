// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.testing.Docs;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link Fabric#findInfo} and the texts that fi-info prints beside it. */
class FindInfoTest {
    @BeforeEach
    void libfabricIsAvailable() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    @Test
    void noMatchIsAnAnswer() {
        try (Hints hints = Hints.create().provider("nosuch")) {
            assertThat(Fabric.findInfo(null, null, Set.of(), hints)).isEmpty();
            assertThatThrownBy(() -> Fabric.getInfo(hints)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("nosuch");
        }
    }

    @Test
    void findsWhatGetInfoFinds() {
        try (Hints hints = Hints.create().provider("shm");
                FabricInfoList found = Fabric.findInfo(null, null, Set.of(), hints).orElseThrow();
                FabricInfoList got = Fabric.getInfo(hints)) {
            assertThat(found.toString()).isEqualTo(got.toString()).startsWith("shm ");
        }
    }

    /** sm2 cuts the address, and says how long it was before. */
    @Test
    void addressesAreAsLongAsTheySay() {
        try (Hints hints = Hints.create().provider("sm2")) {
            for (int length : new int[] {1, 50, 60, 300, 70_000}) {
                Optional<FabricInfoList> found = Fabric.findInfo("x".repeat(length), null, Set.of(), hints);
                assumeTrue(found.isPresent(), "no sm2");
                try (FabricInfoList infos = found.get(); FabricInfo copy = infos.first().duplicate()) {
                    byte[] address = copy.destinationAddress().orElseThrow().bytes();
                    assertThat(new String(address, StandardCharsets.US_ASCII).replace("\0", ""))
                            .matches("fi_sm2://x+").hasSizeLessThan(64);
                }
            }
        }
    }

    /** sm2 leaves the end of its texts out; what it gave may be asked for again. */
    @Test
    void addressesGoBackIntoHints() {
        try (Hints hints = Hints.create().provider("sm2")) {
            Optional<FabricInfoList> found = Fabric.findInfo("one", "two", Set.of(), hints);
            assumeTrue(found.isPresent(), "no sm2");
            try (FabricInfoList infos = found.get();
                 Hints copy = Hints.copyOf(infos.first());
                 FabricInfoList again = Fabric.getInfo(copy)) {
                FabricInfo info = infos.first();
                assertThat(info.destinationAddress().orElseThrow().bytes()).endsWith((byte) 0);
                assertThat(info.sourceAddress().orElseThrow().bytes()).endsWith((byte) 0);
                assertThat(again.first().destinationAddress()).isEqualTo(info.destinationAddress());
                hints.sourceAddress(info.sourceAddress().get());
                try (FabricInfoList from = Fabric.getInfo(hints)) {
                    assertThat(from.first().sourceAddress()).isEqualTo(info.sourceAddress());
                }
            }
        }
    }

    @Test
    void textsOfLibfabric() {
        // what is not released yet has the version of the next release, and the API's of the last
        assertThat(Fabric.versionText()).startsWith(Fabric.version().atLeast(new Version(2, 2))
                ? Fabric.version().major() + "." : Fabric.version() + ".");
        assertThat(FabricError.textOf(61)).isEqualTo("No data available");
    }

    @Test
    void jfabricKnowsItsOwnRelease() {
        String pom = Docs.text(Docs.ROOT.resolve("jfabric-core/pom.xml"));
        assertThat(pom).contains("<version>" + Fabric.jfabricVersion() + "</version>\n  </parent>");
    }
}
