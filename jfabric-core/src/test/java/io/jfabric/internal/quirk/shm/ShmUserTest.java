// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names that are taken by what is not this user's. */
@Timeout(30)
class ShmUserTest {
    private static final int NOBODY = 65534;
    private final String name = "jfabric-user-" + ProcessHandle.current().pid();
    private final Path file = SharedRegion.FOLDER.resolve(name);

    @BeforeEach
    void offered() {
        Providers.SHM.assumeOffered();
    }

    @AfterEach
    void leaveNothing() throws IOException {
        Files.deleteIfExists(file);
    }

    private Node open() {
        try (Hints hints = Hints.rdm().provider("shm");
                FabricInfoList infos = Fabric.getInfo("fi_ns://" + name, null, Set.of(GetInfoFlag.SOURCE), hints)) {
            return Node.open(infos.first());
        }
    }

    @Test
    void peersOfAnotherUserAreRefused() throws IOException {
        try (Node node = Node.open(Providers.SHM.find(hints -> { }).first())) {
            Files.createFile(file);
            assumeTrue(makeNobodys(), "not root");
            assertThatThrownBy(() -> node.peer(Address.of("fi_ns://" + name))).isInstanceOfSatisfying(
                    FabricException.class, why -> assertThat(why.error()).isEqualTo(FabricError.EACCES))
                    .hasMessageContaining(name + " belongs to the user ").hasMessageContaining("use tcp");
        }
    }

    private boolean makeNobodys() throws IOException {
        if (!Files.getAttribute(file, "unix:uid").equals(0)) {
            return false;
        }
        Files.setAttribute(file, "unix:uid", NOBODY);
        return true;
    }

    @Test
    void aDirectoryIsNoName() throws IOException {
        Files.createDirectory(file);
        assertThatThrownBy(this::open).isInstanceOfSatisfying(FabricException.class,
                why -> assertThat(why.error()).isEqualTo(FabricError.EINVAL)).hasMessageContaining("is no file");
        Files.delete(file);
        open().close();
        assertThat(file).doesNotExist();
    }
}
