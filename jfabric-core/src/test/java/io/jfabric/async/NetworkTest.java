// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three hosts, which are network namespaces: a link that is cut, hosts that cannot be reached. */
@Timeout(180)
@Tag("long")
class NetworkTest {
    private static final long INTERVAL = Long.getLong("jfabric.test.interval", 1000);
    private static final long NOTICED = 2 * INTERVAL + 2000;

    private final String a = "jfa" + ProcessHandle.current().pid();
    private final String b = "jfb" + ProcessHandle.current().pid();
    private final String c = "jfc" + ProcessHandle.current().pid();

    private static boolean ip(String arguments) throws Exception {
        Process process = new ProcessBuilder(("ip " + arguments).split(" ")).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /** Of a command that must work. */
    private static void must(String arguments) throws Exception {
        assertThat(ip(arguments)).as("ip " + arguments).isTrue();
    }

    /** a has an address that does not hang on a link, and a link to each of the others. */
    @BeforeEach
    void hosts() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "network namespaces need root");
        assumeTrue(ip("netns add " + a), "network namespaces are not allowed here");
        must("-n " + a + " link set lo up");
        must("-n " + a + " addr add 10.9.0.1/32 dev lo");
        int net = 0;
        for (String other : List.of(b, c)) {
            net++;
            must("netns add " + other);
            must("-n " + other + " link set lo up");
            must("link add to-" + other + " netns " + a + " type veth peer name eth netns " + other);
            must("-n " + a + " addr add 10.9." + net + ".1/24 dev to-" + other);
            must("-n " + a + " link set to-" + other + " up");
            must("-n " + other + " addr add 10.9." + net + ".2/24 dev eth");
            must("-n " + other + " link set eth up");
            must("-n " + other + " route add default via 10.9." + net + ".1");
        }
    }

    @AfterEach
    void noHosts() throws Exception {
        for (String name : List.of(a, b, c)) {
            ip("netns del " + name);
        }
    }

    private ChildJvm peer(String host, String address) {
        return ChildJvm.of(KeepAliveChild.class, "tcp", Long.toString(INTERVAL), "7171", address)
                .prefix("ip", "netns", "exec", host).start();
    }

    private static String ended(ChildJvm watcher, String name, long since) {
        String line = watcher.awaitLine(text -> text.startsWith("ended " + name + " "));
        assertThat((System.nanoTime() - since) / 1_000_000).as("noticed after, ms: " + line).isLessThan(NOTICED);
        return line;
    }

    @Test
    void aLinkIsCut() throws Exception {
        try (ChildJvm one = peer(b, "10.9.1.2"); ChildJvm two = peer(c, "10.9.2.2");
                ChildJvm watcher = ChildJvm.of(NetworkChild.class, Long.toString(INTERVAL), "10.9.0.1")
                        .prefix("ip", "netns", "exec", a).start()) {
            watcher.awaitLine("open"::equals);
            String first = ChildAddress.text(one);
            watcher.tell("watch cut " + first);
            watcher.tell("watch other " + ChildAddress.text(two));
            watcher.awaitLine("answered cut"::equals);
            watcher.awaitLine("answered other"::equals);
            watcher.tell("slowest other before");
            watcher.awaitLine(line -> line.startsWith("slowest before "));
            long start = System.nanoTime();
            must("-n " + b + " link set eth down");
            assertThat(ended(watcher, "cut", start)).contains("EHOSTDOWN").contains("has not answered");
            assertThat(watcher.awaitLine(line -> line.startsWith("failed cut ")))
                    .as("the call that was under way").isEqualTo("failed cut 1");
            // the way back is there again, and so is the peer
            must("-n " + b + " link set eth up");
            must("-n " + b + " route add default via 10.9.1.1");
            watcher.tell("watch again " + first);
            watcher.awaitLine("answered again"::equals);
            watcher.tell("slowest other since");
            String slowest = watcher.awaitLine(line -> line.startsWith("slowest since "));
            assertThat(Long.parseLong(slowest.split(" ")[2])).as("the other peer's slowest call, ms")
                    .isLessThan(2 * INTERVAL);
            assertThat(watcher.output()).doesNotContain("ended other").doesNotContain("failed other")
                    .doesNotContain("ended again");
        }
    }

    @Test
    void hostsThatCannotBeReached() throws Exception {
        // nobody there; a router that says so; one that says nothing
        must("-n " + a + " route add unreachable 10.9.8.0/24");
        must("-n " + b + " route add blackhole 10.9.7.0/24");
        must("-n " + a + " route add 10.9.7.0/24 via 10.9.1.2");
        String mould;
        try (ChildJvm one = peer(b, "10.9.1.2")) {
            mould = ChildAddress.text(one);
        }
        assertThat(mould).contains("0a090102");
        try (ChildJvm two = peer(c, "10.9.2.2");
                ChildJvm watcher = ChildJvm.of(NetworkChild.class, Long.toString(INTERVAL), "10.9.0.1")
                        .prefix("ip", "netns", "exec", a).start()) {
            watcher.awaitLine("open"::equals);
            watcher.tell("watch other " + ChildAddress.text(two));
            watcher.awaitLine("answered other"::equals);
            long start = System.nanoTime();
            watcher.tell("watch nobody " + mould.replace("0a090102", "0a090163"));
            watcher.tell("watch refused " + mould.replace("0a090102", "0a090801"));
            watcher.tell("watch silent " + mould.replace("0a090102", "0a090701"));
            for (String name : List.of("nobody", "refused", "silent")) {
                assertThat(ended(watcher, name, start)).contains("EHOSTDOWN").contains("never answered");
                watcher.awaitLine(("failed " + name + " 1")::equals);
            }
            assertThat(watcher.output()).doesNotContain("ended other");
        }
    }
}
