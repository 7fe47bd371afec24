// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A datagram that the machine's own firewall drops. In a network namespace, which ends with its process. */
@Timeout(60)
@Tag("long")
class FirewallTest {
    private static final String RULES = "ip link set lo up && nft add table ip t && nft 'add chain ip t out { type "
            + "filter hook output priority 0; }' && nft add rule ip t out udp dport 9 drop";

    private static boolean isAllowed() throws Exception {
        Process process = new ProcessBuilder("unshare", "-n", "sh", "-c", RULES)
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    void isNamed() throws Exception {
        Providers.UDP.assumeOffered();
        assumeTrue(System.getProperty("user.name").equals("root") && isAllowed(), "needs root, and nft");
        ChildJvm.Result result = ChildJvm.of(Sender.class)
                .prefix("unshare", "-n", "sh", "-c", RULES + " && exec \"$0\" \"$@\"").run();
        assertThat(result.output()).contains("send of 8 bytes to fi_sockaddr_in://127.0.0.1:9", "FI_EPERM",
                "a firewall of this machine forbids it");
    }

    static final class Sender {
        private Sender() {
        }

        public static void main(String[] args) {
            Address address = Address.of(new InetSocketAddress("127.0.0.1", 0));
            try (Hints hints = Hints.dgram().provider("udp").sourceAddress(address); Node node = Node.open(hints)) {
                Peer peer = node.peer(Address.of(new InetSocketAddress("127.0.0.1", 9)));
                node.send(node.allocate(8), peer).join();
            } catch (CompletionException | FabricException failed) {
                System.out.println(failed.getMessage());
            }
        }
    }
}
