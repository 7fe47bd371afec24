// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.async.Node;
import io.jfabric.info.Hints;

/** Prints why no node can be opened: {@link ShmRoomTest}. */
final class ShmOpen {
    private ShmOpen() {
    }

    public static void main(String[] args) {
        try (Hints hints = Hints.rdm().provider("shm"); Node node = Node.open(hints)) {
            System.out.println("opened " + node);
        } catch (FabricException e) {
            System.out.println(e.getMessage());
        }
    }
}
