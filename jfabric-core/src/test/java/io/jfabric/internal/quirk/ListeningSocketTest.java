// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One socket gets the time limit, and none of the program's that listen elsewhere. */
@Timeout(60)
class ListeningSocketTest {
    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(host, port);
    }

    private static ServerSocketChannel listener(String host, int port) throws IOException {
        // else IPv4 addresses would be such of IPv6, as the JDK has it
        return ServerSocketChannel.open(host.contains(":") ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET).bind(at(host, port));
    }

    private static int port(ServerSocketChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private static void limit(InetSocketAddress where) {
        ListeningSocket.limitWaits(() -> Address.of(where));
    }

    /** SO_RCVTIMEO, in microseconds. */
    private static long timeout(int fd) throws Throwable {
        MethodHandle getsockopt = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("getsockopt"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment timeval = arena.allocate(16, 8);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 16);
            assertThat((int) getsockopt.invokeExact(fd, 1, 20, timeval, length)).isZero();
            return timeval.get(ValueLayout.JAVA_LONG, 0) * 1_000_000 + timeval.get(ValueLayout.JAVA_LONG, 8);
        }
    }

    @Test
    void othersWithThatPortAreLeftAlone() throws Throwable {
        try (ServerSocketChannel its = listener("127.0.0.1", 0);
                ServerSocketChannel _ = listener("127.0.0.2", port(its))) {
            int fd = ListeningSocket.find(at("127.0.0.1", port(its)));
            int other = ListeningSocket.find(at("127.0.0.2", port(its)));
            assertThat(fd).isNotNegative().isNotEqualTo(other);
            limit(at("127.0.0.1", port(its)));
            assertThat(timeout(fd)).isBetween(1L, 20_000L);
            assertThat(timeout(other)).isZero();
        }
    }

    @Test
    void ipv6HasItsOwn() throws Throwable {
        try (ServerSocketChannel its = listener("::1", 0)) {
            int fd = ListeningSocket.find(at("::1", port(its)));
            assertThat(ListeningSocket.find(at("127.0.0.1", port(its)))).isNegative();
            limit(at("::1", port(its)));
            assertThat(timeout(fd)).isBetween(1L, 20_000L);
        }
    }

    /** They have its address, and may outlive it. */
    @Test
    void whatWasAcceptedDoesNotListen() throws Throwable {
        ServerSocketChannel programs = listener("127.0.0.1", 0);
        int port = port(programs);
        try (SocketChannel _ = SocketChannel.open(at("127.0.0.1", port)); SocketChannel _ = programs.accept()) {
            programs.close();
            assertThat(ListeningSocket.find(at("127.0.0.1", port))).isNegative();
        }
    }

    @Test
    void nothingHappensWhereThereIsNothing() {
        ListeningSocket.limitWaits(() -> Address.of("fi_shm://nobody"));
        ListeningSocket.limitWaits(() -> {
            throw FabricException.of("fi_getname", -Errno.ENOSYS, null);
        });
    }
}
