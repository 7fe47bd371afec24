// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names of shm endpoints that killed processes have left. */
@Timeout(90)
class ShmNameTest {
    /** An endpoint, and what is there of it while it is enabled; then it stays behind under the name of the next. */
    @Test
    void aKilledNamesakeIsNoObstacle() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        ChildJvm.Result result = ChildJvm.of(ShmNameTest.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED").contains("which a killed process had left");
    }

    public static void main(String[] args) throws IOException {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first())) {
            Path left = Files.createTempFile("left", "");
            Path name;
            try (Endpoint first = open(domain, infos)) {
                first.enable();
                Files.copy(file(first), left, StandardCopyOption.REPLACE_EXISTING);
            }
            try (Endpoint second = open(domain, infos)) {
                name = file(second);
                Files.copy(left, name);
                Files.setLastModifiedTime(name, FileTime.from(Instant.EPOCH));
                second.enable();
                if (Files.getLastModifiedTime(name).toInstant().equals(Instant.EPOCH)) {
                    throw new AssertionError("the file is the old one");
                }
            } finally {
                Files.delete(left);
            }
            if (Files.exists(name)) {
                throw new AssertionError(name + " is still there");
            }
        }
        System.out.println("SURVIVED");
    }

    private static Endpoint open(Domain domain, FabricInfoList infos) {
        return domain.openEndpoint(infos.first()).bind(domain.openCompletionQueue(CompletionFormat.TAGGED),
                BindFlag.TRANSMIT, BindFlag.RECV).bind(domain.openAddressVector());
    }

    private static Path file(Endpoint endpoint) {
        return Path.of("/dev/shm", endpoint.address().toText().replaceAll("^[^/]*//", ""));
    }
}
