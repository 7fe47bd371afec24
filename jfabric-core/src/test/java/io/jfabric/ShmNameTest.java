// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of shm endpoints: those that killed processes have left, those that others have, and impossible ones. */
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

    /** In fresh processes: names end in the number of the endpoint in its process. */
    @Test
    @Tag("long")
    void aNameThatAnotherProcessHasIsNotTakenAway() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        String name = "jfabric-name-" + ProcessHandle.current().pid();
        try (ChildJvm holder = ChildJvm.of(ShmNameTest.class, "hold", name).start()) {
            Path file = file(holder.awaitLine(line -> line.startsWith("HOLDS ")).substring(6));
            assertThat(file).exists();
            assertThat(ChildJvm.of(ShmNameTest.class, "name", name).run().output()).contains("SURVIVED", "FI_EBUSY",
                    "process " + holder.pid() + " has an endpoint of the name " + name);
            assertThat(file).exists();
            holder.tell("END");
            assertThat(holder.await().exitCode()).as(holder.output()).isZero();
        }
        assertThat(ChildJvm.of(ShmNameTest.class, "name", name).run().output()).contains("SURVIVED")
                .doesNotContain("REFUSED");
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(ints = {245, 246, 247, 1000})
    void longNamesAreRefusedOrWork(int length) {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        ChildJvm.Result result = ChildJvm.of(ShmNameTest.class, "name", "x".repeat(length)).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    @Test
    void aNameWithASlashIsRefused() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        ChildJvm.Result result = ChildJvm.of(ShmNameTest.class, "name", "no/such").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("REFUSED").contains("FI_EINVAL").contains("SURVIVED");
    }

    public static void main(String[] args) throws IOException {
        switch (args.length == 0 ? "" : args[0]) {
            case "hold" -> hold(args[1]);
            // twice: of names that are cut, both are the same
            case "name" -> twice(args[1]);
            default -> left();
        }
    }

    private static void hold(String name) throws IOException {
        try (FabricInfoList infos = named(name); Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first()); Endpoint endpoint = open(domain, infos)) {
            System.out.println("HOLDS " + endpoint.enable().address().toText());
            System.in.read();
        }
    }

    private static void twice(String name) {
        try (FabricInfoList infos = named(name); Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first())) {
            for (int i = 0; i < 2; i++) {
                try {
                    open(domain, infos).enable();
                } catch (FabricException e) {
                    System.out.println("REFUSED " + e.getMessage());
                }
            }
        }
        System.out.println("SURVIVED");
    }

    private static FabricInfoList named(String name) {
        return Providers.SHM.find(hints -> hints.sourceAddress(Address.of(AddressFormat.ADDR_STR,
                ("fi_shm://" + name + '\0').getBytes(StandardCharsets.US_ASCII))));
    }

    private static void left() throws IOException {
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
        return file(endpoint.address().toText());
    }

    private static Path file(String address) {
        return Path.of("/dev/shm", address.replaceAll("^[^/]*//", ""));
    }
}
