// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Loopback;
import io.jfabric.testkit.Providers;
import java.io.File;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What passive endpoints of sockets leave behind, or leave undone. */
@Timeout(60)
class LeftListenerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(Loopback.own(), 0);
    private static final int TIMES = 10;

    @BeforeEach
    void offered() {
        Providers.SOCKETS_MSG.assumeOffered();
    }

    private static List<String> entries(String of) {
        return List.of(new File("/proc/self/" + of).list());
    }

    @Test
    void addressesAreFreeAgain() throws Exception {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            int before = entries("fd").size();
            PassiveEndpoint named = c.fabric.openPassiveEndpoint(c.info());
            InetSocketAddress last = named.setAddress(Address.of(ANY_PORT)).address().toInetSocketAddress();
            assertThatThrownBy(() -> named.setAddress(Address.of(ANY_PORT))).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("open another");
            assertThat(named.address().toInetSocketAddress()).isEqualTo(last);
            named.close();
            free(last);
            assertThat(entries("fd").size()).isLessThanOrEqualTo(before);
            // one that listens closes it itself
            PassiveEndpoint listener = c.fabric.openPassiveEndpoint(c.info()).setAddress(Address.of(ANY_PORT))
                    .bind(c.serverEvents).listen();
            c.client().endpoint.connect(listener.address());
            ((FabricEvent.ConnectionRequest) c.serverEvent()).close();
            last = listener.address().toInetSocketAddress();
            listener.close();
            free(last);
        }
    }

    private static void free(InetSocketAddress address) throws Exception {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        }
    }

    @Test
    void aPortThatIsTakenIsCalledSo() throws Exception {
        try (Connected c = new Connected(Providers.SOCKETS_MSG); FabricInfo info = c.info().duplicate()) {
            PassiveEndpoint listener;
            try (ServerSocket other = new ServerSocket()) {
                other.bind(ANY_PORT);
                info.sourceAddress(Address.of((InetSocketAddress) other.getLocalSocketAddress()));
                listener = c.fabric.openPassiveEndpoint(info).bind(c.serverEvents);
                Set<String> before = Set.copyOf(entries("task"));
                for (int i = 0; i < TIMES; i++) {
                    assertThatThrownBy(listener::listen).isInstanceOf(FabricException.class)
                            .hasMessageContaining("FI_EADDRINUSE").hasMessageContaining("fi_listen");
                }
                // others may come meanwhile, but not as many
                assertThat(entries("task").stream().filter(task -> !before.contains(task)).count()).isLessThan(TIMES);
            }
            listener.listen();
            c.client().endpoint.connect(listener.address());
            ((FabricEvent.ConnectionRequest) c.serverEvent()).close();
        }
    }

    @Test
    void whatCouldNotHaveItsAddressDoesNotListen() throws Exception {
        try (Connected c = new Connected(Providers.SOCKETS_MSG); ServerSocket other = new ServerSocket()) {
            other.bind(ANY_PORT);
            PassiveEndpoint listener = c.fabric.openPassiveEndpoint(c.info());
            Address taken = Address.of((InetSocketAddress) other.getLocalSocketAddress());
            assertThatThrownBy(() -> listener.setAddress(taken)).isInstanceOf(FabricException.class);
            assertThatThrownBy(() -> listener.setAddress(Address.of(ANY_PORT)))
                    .isInstanceOf(IllegalStateException.class);
            listener.bind(c.serverEvents);
            assertThatThrownBy(listener::listen).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("could not be set");
        }
    }

    /** In a process of its own, which the signal would end if nobody took it. */
    @Test
    void aSignalDoesNotEndIt() {
        ChildJvm.Result result = SharedJvm.run(Interrupted.class);
        assertThat(result.output()).contains("and again");
        assertThat(result.exitCode()).isZero();
    }

    /** All threads that listening starts are interrupted. */
    static final class Interrupted {
        /** SIGRTMAX - 2: by it the JVM wakes threads of its own that wait for sockets, and its handler does nothing. */
        private static final int HARMLESS = 62;

        private Interrupted() {
        }

        public static void main(String[] args) throws Throwable {
            MethodHandle tgkill = Linker.nativeLinker().downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("tgkill"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
            try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
                Set<String> before = Set.copyOf(entries("task"));
                PassiveEndpoint listener = c.fabric.openPassiveEndpoint(c.info()).setAddress(Address.of(ANY_PORT))
                        .bind(c.serverEvents).listen();
                List<String> started = entries("task").stream().filter(task -> !before.contains(task)).toList();
                try (Socket socket = new Socket()) {
                    // has the JVM take the signal
                    socket.connect(listener.address().toInetSocketAddress());
                }
                for (String task : started) {
                    if ((int) tgkill.invokeExact((int) ProcessHandle.current().pid(), Integer.parseInt(task),
                            HARMLESS) != 0) {
                        throw new AssertionError(task);
                    }
                }
                c.client().endpoint.connect(listener.address());
                ((FabricEvent.ConnectionRequest) c.serverEvent()).close();
                System.out.println("and again");
            }
        }
    }
}
