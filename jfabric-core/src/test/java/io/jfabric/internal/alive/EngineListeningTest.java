// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.life.FidObject;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A keep-alive asks whether all that had come is read. */
@Timeout(60)
class EngineListeningTest {
    /** As when one keep-alive of the node is closed and another opened, while an arena is closed. */
    @Test
    void severalAskBeforeTheNextPoll() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first())) {
            NodeImpl drives = (NodeImpl) node;
            List<EngineListening> all = Stream.generate(() -> new EngineListening(drives.drive())).limit(3).toList();
            Waits.until("the node is polled", () -> drives.drive().polls() > 0);
            ((FidObject) node.domain()).exclusively(() -> all.forEach(EngineListening::begin));
            Waits.until("all are answered", () -> all.stream().allMatch(EngineListening::isDone));
            int polls = drives.drive().polls();
            Waits.until("it is polled again", () -> drives.drive().polls() != polls);
            assertThat(all).allMatch(EngineListening::isDone);
        }
    }
}
