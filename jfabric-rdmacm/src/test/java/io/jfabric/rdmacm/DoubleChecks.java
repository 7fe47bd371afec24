// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What {@link DoubleTest} runs in a process of its own, over src/test/c/library-double.c. */
public final class DoubleChecks {
    private static final byte[] ROUTE = new byte[72];
    private static final Address PEER = Address.of(new InetSocketAddress("127.0.0.1", 7471));
    private static final Address HERE = Address.of(new InetSocketAddress("127.0.0.1", 0));
    private static final RdmaHints HINTS = RdmaHints.connected().addFlags(RdmaFlag.NO_ROUTE).withSource(HERE)
            .withDestination(PEER).withRoute(ROUTE).withConnectData(new byte[] {3, 1, 4});

    private DoubleChecks() {
    }

    /** Runs all checks. */
    public static void main(String[] args) throws Exception {
        MemorySegment entries = SymbolLookup.libraryLookup(Path.of(System.getenv("JFABRIC_RDMACM")), Arena.global())
                .findOrThrow("double_entries").reinterpret(Integer.BYTES);
        chain(entries);
        errors();
        assertThat(live(entries)).isZero();
        forgotten(entries);
        assertThat(live(entries)).isZero();
        threads(entries);
        assertThat(live(entries)).isZero();
        System.out.println("passed chain, errors, forgotten, threads");
    }

    private static int live(MemorySegment entries) {
        return entries.get(ValueLayout.JAVA_INT, 0);
    }

    private static void chain(MemorySegment entries) {
        ROUTE[5] = 5;
        RdmaAddressInfo found = RdmaAddressInfo.resolve("name", "service", HINTS.withRoute(ROUTE));
        assertThat(live(entries)).isEqualTo(3);
        List<RdmaAddress> all = found.entries();
        assertThat(all).hasSize(3);
        assertThat(found).hasSize(3);
        RdmaAddress first = found.first();
        assertThat(first.flags()).isEqualTo(Flags.of(RdmaFlag.NO_ROUTE));
        assertThat(first.qpType()).isEqualTo(QpType.RC);
        assertThat(first.portSpace()).isEqualTo(PortSpace.TCP);
        assertThat(first.source().orElseThrow().bytes()).isEqualTo(HERE.bytes());
        assertThat(first.destination()).contains(PEER);
        assertThat(first.destination().orElseThrow().format()).isEqualTo(AddressFormat.SOCKADDR_IN);
        assertThat(first.route()).isEqualTo(ROUTE);
        assertThat(first.connectData()).containsExactly(3, 1, 4);
        assertThat(first.sourceName()).isEmpty();
        RdmaAddress second = all.get(1);
        assertThat(second.sourceName()).contains("name");
        assertThat(second.destinationName()).contains("service");
        assertThat(second.flags().bits()).isEqualTo(0x80000000L);
        assertThat(second.family()).isEqualTo(RdmaFamily.UNRECOGNIZED);
        assertThat(second.qpType()).isEqualTo(QpType.UNRECOGNIZED);
        assertThat(second.portSpace()).isEqualTo(PortSpace.UNRECOGNIZED);
        assertThat(second.toString()).contains("[0x80000000]", "ai_family=9999", "ai_qp_type=9998",
                "ai_port_space=9997", "ai_src_canonname=name", "ai_connect=030104");
        assertThat(all.get(2).source()).isEmpty();
        try (Hints hints = Hints.msg()) {
            assertThat(first.addTo(hints)).isSameAs(hints);
            assertThat(hints.sourceAddress()).contains(HERE);
            assertThat(hints.destinationAddress()).contains(PEER);
        }
        found.close();
        found.close();
        assertThat(live(entries)).isZero();
        assertThat(found.isOpen()).isFalse();
        assertThat(found).hasToString("RdmaAddressInfo[closed]");
        assertThatThrownBy(found::entries).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(found::first).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(found::iterator).isInstanceOf(IllegalStateException.class);
        assertThat(first.destination()).contains(PEER);
        for (RdmaFlag flag : List.of(RdmaFlag.SA, RdmaFlag.DNS)) {
            RdmaAddressInfo.resolve(null, "service", RdmaHints.any().addFlags(flag)).close();
        }
        assertThatThrownBy(() -> RdmaAddressInfo.resolve(null, null, RdmaHints.any().addFlags(RdmaFlag.SA)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void errors() {
        for (ResolutionError error : ResolutionError.values()) {
            if (error == ResolutionError.UNRECOGNIZED) {
                continue;
            }
            assertThatThrownBy(() -> RdmaAddressInfo.resolve("fail " + error.code() + " 22", null, HINTS))
                    .isInstanceOfSatisfying(RdmaException.class, e -> {
                        assertThat(e.error()).isEqualTo(error);
                        assertThat(e.code()).isEqualTo(error.code());
                        assertThat(e.errno()).isEqualTo(error == ResolutionError.SYSTEM ? 22 : 0);
                    })
                    .hasMessageContaining(error == ResolutionError.SYSTEM ? "EINVAL (22): " : error.nativeName())
                    .hasMessageContaining("; ");
        }
        for (int errno : new int[] {1, 2, 13, 19, 22, 95}) {
            assertThatThrownBy(() -> RdmaAddressInfo.resolve("fail -1 " + errno, null, HINTS))
                    .isInstanceOfSatisfying(RdmaException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                    .hasMessageContaining("(" + errno + "): ").hasMessageContaining("; ");
        }
        assertThatThrownBy(() -> RdmaAddressInfo.resolve("fail -4711 0", null, HINTS))
                .isInstanceOfSatisfying(RdmaException.class, e -> {
                    assertThat(e.error()).isEqualTo(ResolutionError.UNRECOGNIZED);
                    assertThat(e.code()).isEqualTo(-4711);
                });
    }

    private static void forgotten(MemorySegment entries) throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            RdmaAddressInfo.resolve("a", "1", HINTS);
        }
        for (int i = 0; i < 200 && live(entries) > 0; i++) {
            System.gc();
            Thread.sleep(50);
        }
    }

    /** One closes while others read: each reads all, or is told that it is closed. */
    private static void threads(MemorySegment entries) throws InterruptedException, ExecutionException {
        try (ExecutorService readers = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 3000; i++) {
                RdmaAddressInfo found = RdmaAddressInfo.resolve("a", "1", HINTS);
                List<Future<Integer>> reads = List.of(readers.submit(() -> read(found)),
                        readers.submit(() -> read(found)));
                found.close();
                for (Future<Integer> read : reads) {
                    assertThat(read.get()).isIn(3, 0);
                }
            }
        }
    }

    private static int read(RdmaAddressInfo found) {
        try {
            int count = 0;
            for (RdmaAddress address : found) {
                count += address.destination().orElseThrow().equals(PEER) ? 1 : 100;
            }
            return count;
        } catch (IllegalStateException closed) {
            return 0;
        }
    }
}
