// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.collective.AddressVectorSetAttributes;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.Contract;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong arguments and closed objects: an exception that names operation, argument and remedy, never a crash. */
class BadInputTest {
    private static final MemorySegment HEAP = MemorySegment.ofArray(new byte[16]);

    @BeforeAll
    static void needsLibfabric() {
        assumeThat(Fabric.isAvailable()).as("libfabric is available").isTrue();
    }

    private static MemorySegment closed() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(16);
        }
    }

    /** Every operation that takes a buffer, by the C function its message must name. */
    private static Map<String, BiConsumer<Pair, MemorySegment>> operations(boolean writing) {
        Map<String, BiConsumer<Pair, MemorySegment>> map = new LinkedHashMap<>();
        if (writing) {
            map.put("fi_recv:", (p, m) -> p.a.endpoint.messages().receive(m, Address.ANY, 1));
            map.put("fi_recv: ", (p, m) -> p.a.endpoint.messages().receive(m, 0, 0, Address.ANY, 1));
            map.put("fi_recvmsg:", (p, m) -> p.a.endpoint.messages().receiveMulti(m, Address.ANY, 1));
            map.put("fi_trecv:", (p, m) -> p.a.endpoint.tagged().receive(m, Address.ANY, 0, 0, 1));
            map.put("fi_trecv: ", (p, m) -> p.a.endpoint.tagged().receive(m, 0, 0, Address.ANY, 0, 0, 1));
            map.put("fi_trecvmsg:", (p, m) -> p.a.endpoint.tagged().claim(m, Address.ANY, 0, 0, 1));
            return map;
        }
        map.put("fi_send:", (p, m) -> p.a.endpoint.messages().send(m, p.a.peer, 1));
        map.put("fi_send: ", (p, m) -> p.a.endpoint.messages().send(m, 0, 0, p.a.peer, 1));
        map.put("fi_senddata:", (p, m) -> p.a.endpoint.messages().sendData(m, 1, p.a.peer, 1));
        map.put("fi_senddata: ", (p, m) -> p.a.endpoint.messages().sendData(m, 0, 0, 1, p.a.peer, 1));
        map.put("fi_sendmsg:", (p, m) -> p.a.endpoint.messages().sendRequest().buffers(m).peer(p.a.peer)
                .flags(p.info.tx().operationFlags()).post(1));
        map.put("fi_inject:", (p, m) -> p.a.endpoint.messages().inject(m, p.a.peer));
        map.put("fi_inject: ", (p, m) -> p.a.endpoint.messages().inject(m, 0, 0, p.a.peer));
        map.put("fi_injectdata:", (p, m) -> p.a.endpoint.messages().injectData(m, 1, p.a.peer));
        map.put("fi_injectdata: ", (p, m) -> p.a.endpoint.messages().injectData(m, 0, 0, 1, p.a.peer));
        map.put("fi_tsend:", (p, m) -> p.a.endpoint.tagged().send(m, p.a.peer, 0, 1));
        map.put("fi_tsend: ", (p, m) -> p.a.endpoint.tagged().send(m, 0, 0, p.a.peer, 0, 1));
        map.put("fi_tsenddata:", (p, m) -> p.a.endpoint.tagged().sendData(m, 1, p.a.peer, 0, 1));
        map.put("fi_tsenddata: ", (p, m) -> p.a.endpoint.tagged().sendData(m, 0, 0, 1, p.a.peer, 0, 1));
        map.put("fi_tsendmsg:", (p, m) -> p.a.endpoint.tagged().sendRequest().buffers(m).peer(p.a.peer)
                .flags(p.info.tx().operationFlags()).post(1));
        map.put("fi_tinject:", (p, m) -> p.a.endpoint.tagged().inject(m, p.a.peer, 0));
        map.put("fi_tinject: ", (p, m) -> p.a.endpoint.tagged().inject(m, 0, 0, p.a.peer, 0));
        map.put("fi_tinjectdata:", (p, m) -> p.a.endpoint.tagged().injectData(m, 1, p.a.peer, 0));
        map.put("fi_tinjectdata: ", (p, m) -> p.a.endpoint.tagged().injectData(m, 0, 0, 1, p.a.peer, 0));
        return map;
    }

    @Test
    void anInfoThatNamesNoDomainOpensNone() {
        try (Hints hints = Hints.rdm().provider("shm");
                FabricInfoList infos = Fabric.getInfo(hints);
                FabricInfo info = infos.first().duplicate();
                Fabric fabric = Fabric.open(info)) {
            info.domain().name(null);
            assertThatThrownBy(() -> fabric.openDomain(info)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("names no domain");
        }
    }

    @Test
    void refusesMemoryThatNoProviderCanUse() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            for (boolean writing : new boolean[] {true, false}) {
                operations(writing).forEach((name, operation) -> {
                    refused(name, "on the Java heap", () -> operation.accept(pair, HEAP));
                    refused(name, "the arena of the buffer is closed", () -> operation.accept(pair, closed()));
                    refused(name, "is null", () -> operation.accept(pair, null));
                    if (writing) {
                        MemorySegment readOnly = Arena.ofAuto().allocate(16).asReadOnly();
                        refused(name, "read-only", () -> operation.accept(pair, readOnly));
                    }
                });
            }
            refused("fi_sendmsg", "on the Java heap", () -> pair.a.endpoint.messages().sendRequest().buffers(HEAP));
            refused("fi_mr_reg", "on the Java heap", () -> pair.domain.register(HEAP, MemoryAccess.READ));
            refused("fi_recvmsg", "read-only", () -> pair.a.endpoint.messages().receiveRequest().buffers(
                    Arena.ofAuto().allocate(8).asReadOnly()));
        }
    }

    private static void refused(String operation, String reason, Runnable call) {
        assertThatThrownBy(call::run).as("%s with memory that is %s", operation, reason)
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining(operation.trim()).hasMessageContaining(reason);
    }

    @Test
    void refusesPartsOutsideTheBuffer() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            MemorySegment buffer = Arena.ofAuto().allocate(16);
            Messages messages = pair.a.endpoint.messages();
            TaggedMessages tagged = pair.a.endpoint.tagged();
            long to = pair.a.peer;
            long[][] wrong = {{0, 17}, {16, 1}, {-1, 4}, {4, -1}, {8, Long.MAX_VALUE}, {Long.MAX_VALUE, 1}};
            for (long[] part : wrong) {
                outside("fi_send", part, () -> messages.send(buffer, part[0], part[1], to, 1));
                outside("fi_inject", part, () -> messages.inject(buffer, part[0], part[1], to));
                outside("fi_senddata", part, () -> messages.sendData(buffer, part[0], part[1], 1, to, 1));
                outside("fi_injectdata", part, () -> messages.injectData(buffer, part[0], part[1], 1, to));
                outside("fi_recv", part, () -> messages.receive(buffer, part[0], part[1], Address.ANY, 1));
                outside("fi_tsend", part, () -> tagged.send(buffer, part[0], part[1], to, 0, 1));
                outside("fi_tinject", part, () -> tagged.inject(buffer, part[0], part[1], to, 0));
                outside("fi_tsenddata", part, () -> tagged.sendData(buffer, part[0], part[1], 1, to, 0, 1));
                outside("fi_tinjectdata", part, () -> tagged.injectData(buffer, part[0], part[1], 1, to, 0));
                outside("fi_trecv", part, () -> tagged.receive(buffer, part[0], part[1], Address.ANY, 0, 0, 1));
            }
        }
    }

    private static void outside(String operation, long[] part, Runnable call) {
        assertThatThrownBy(call::run).as("%s %s", operation, Arrays.toString(part))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining(operation + ":").hasMessageContaining("offset " + part[0])
                .hasMessageContaining("buffer of 16 bytes");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void refusesWhatIsTooLong(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            long limit = pair.info.tx().injectSize();
            MemorySegment big = Arena.ofAuto().allocate(limit + 1);
            assertThatThrownBy(() -> pair.a.endpoint.messages().inject(big, pair.a.peer))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_inject").hasMessageContaining("at most " + limit + " bytes");
            assertThatThrownBy(() -> pair.a.endpoint.messages().injectData(big, 1, pair.a.peer))
                    .isInstanceOf(FabricException.class).hasMessageContaining("fi_injectdata");
            long longest = pair.info.endpoint().maxMessageSize();
            // udp of 1.17 lets the kernel decide
            if (longest > 0 && longest < 1 << 20 && !choice.equals(Providers.UDP)) {
                MemorySegment huge = Arena.ofAuto().allocate(longest + 1);
                assertThatThrownBy(() -> pair.a.endpoint.messages().send(huge, pair.a.peer, 1))
                        .isInstanceOf(FabricException.class).hasMessageContaining("fi_send")
                        .hasMessageContaining("the largest message is " + longest + " bytes");
            }
        }
    }

    @Test
    void refusesNegativeNumbers() {
        assertThatThrownBy(() -> CompletionQueueAttributes.of(CompletionFormat.MSG).withSize(-3))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("size: 18446744073709551613");
        assertThatThrownBy(() -> AddressVectorAttributes.DEFAULT.withCount(-1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("count -1");
        assertThatThrownBy(() -> AddressVectorAttributes.DEFAULT.withReceiveContextBits(64))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("64");
        assertThatThrownBy(() -> EventQueueAttributes.DEFAULT.withSize(-2))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("18446744073709551614");
        assertThatThrownBy(() -> new Version(1, 70_000)).isInstanceOf(IllegalArgumentException.class);
        try (Pair pair = Pair.open(Providers.SHM)) {
            assertThatThrownBy(() -> pair.a.queue.poll(c -> { }, -3))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("-3");
            assertThatThrownBy(() -> pair.fabric.openEventQueue().await(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("negative");
            assertThatThrownBy(() -> pair.a.addresses.insertAll(Arena.ofAuto().allocate(8), -1, null))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("count: -1");
        }
    }

    @Test
    void refusesANullHandlerOrObject() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            assertThatThrownBy(() -> pair.a.queue.poll(null, 1)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("handler");
            assertThatThrownBy(() -> pair.a.endpoint.bind((AddressVector) null))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("fi_ep_bind");
            assertThatThrownBy(() -> pair.a.endpoint.bind(pair.a.queue, BindFlag.SELECTIVE_COMPLETION))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("TRANSMIT");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void refusesAnAddressOfTheWrongLength(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            byte[] right = pair.b.endpoint.address().bytes();
            for (byte[] wrong : List.of(new byte[0], new byte[1], Arrays.copyOf(right, right.length - 1))) {
                assertThatThrownBy(() -> pair.a.addresses.insert(wrong)).as("%s bytes", wrong.length)
                        .isInstanceOf(RuntimeException.class).hasMessageContaining("fi_av_insert")
                        .hasMessageContaining("address");
            }
            assertThatThrownBy(() -> pair.a.addresses.insert((byte[]) null)).hasMessageContaining("fi_av_insert");
        }
    }

    @Test
    void namesTheProviderOrHostNobodyKnows() {
        // libfabric does not take a part of the name ofi_rxm
        for (String unknown : List.of("nosuch", "rxm", "tcp;rxm")) {
            try (Hints hints = Hints.create().provider(unknown)) {
                assertThatThrownBy(() -> Fabric.getInfo(hints)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("fi_getinfo").hasMessageContaining("FI_ENODATA")
                        .hasMessageContaining("provider \"" + unknown + "\" is not in this libfabric, which has")
                        .hasMessageContaining("ofi_rxm");
            }
        }
        try (Hints hints = Hints.create().provider("tcp")) {
            assertThatThrownBy(() -> Fabric.getInfo("no-such-host.invalid", "1", Set.of(), hints))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("node \"no-such-host.invalid\" cannot be resolved");
            assertThatThrownBy(() -> Fabric.getInfo("no-such-host.invalid", null, Set.of(GetInfoFlag.SOURCE), hints))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("node \"no-such-host.invalid\" cannot be resolved");
            assertThatThrownBy(() -> Fabric.getInfo("127.0.0.1", "no-such-service", Set.of(), hints))
                    .isInstanceOf(FabricException.class)
                    .hasMessageEndingWith("service \"no-such-service\" is not known here; use a port number");
        }
        try (Hints hints = Hints.create().provider("tcp,shm")) {
            assertThat(Fabric.explain(hints)).startsWith("provider \"tcp,shm\" is not in this libfabric, which has");
        }
        try (Hints hints = Hints.create().provider("udp").endpointType(EndpointType.DGRAM)
                .capabilities(Capability.RMA)) {
            assertThatThrownBy(() -> Fabric.getInfo(hints)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("capabilities [FI_RMA]");
            assertThat(Fabric.explain(hints)).contains("capabilities [FI_RMA]");
        }
    }

    /** To shm a node is any name: it is not what is wrong. */
    @Test
    void aNodeThatIsNoHostIsBlamedOnlyWhereItIsOne() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        try (Hints hints = Hints.create().provider("shm").endpointType(EndpointType.MSG)) {
            assertThatThrownBy(() -> Fabric.getInfo("my-endpoint.invalid", null, Set.of(GetInfoFlag.SOURCE), hints))
                    .isInstanceOf(FabricException.class).hasMessageContaining("endpointType FI_EP_MSG");
        }
        // with two things wrong, too
        try (Hints hints = Hints.create().provider("tcp").capabilities(Capability.ATOMIC)
                .endpointType(EndpointType.DGRAM)) {
            assertThatThrownBy(() -> Fabric.getInfo("no-such-host.invalid", "1", Set.of(), hints))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("node \"no-such-host.invalid\" cannot be resolved");
        }
    }

    private static void noPort(String service, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(service + " is not a port; ports go from 0 to 65535");
    }

    /** C would take the lowest 16 bits. */
    @ParameterizedTest
    @ValueSource(strings = {"70000", "-1", "65536", "+80", " 80", "18446744073709551617"})
    void portsAreNotCutOff(String service) {
        try (Hints hints = Providers.TCP_MSG.hints()) {
            if (service.equals("-1") || service.length() > 10) {
                // the C library does not take these for numbers
                assertThatThrownBy(() -> Fabric.getInfo("127.0.0.1", service, Set.of(), hints))
                        .isInstanceOf(FabricException.class).hasMessageContaining("use a port number");
            } else {
                noPort(service, () -> Fabric.getInfo("127.0.0.1", service, Set.of(), hints));
                noPort(service, () -> Fabric.getInfo("127.0.0.1", service, Set.of(GetInfoFlag.SOURCE), hints));
                noPort(service, () -> Fabric.findInfo("127.0.0.1", service, Set.of(), hints));
            }
            for (String good : List.of("0", "1", "65535", "00080")) {
                Fabric.getInfo("127.0.0.1", good, Set.of(), hints).close();
            }
        }
        try (Pair pair = Pair.open(Providers.RXM)) {
            noPort(service, () -> pair.a.addresses.insertService("127.0.0.1", service));
            noPort(service, () -> pair.a.addresses.insertSymmetric("127.0.0.1", 1, service, 2));
            noPort("65536", () -> pair.a.addresses.insertSymmetric("127.0.0.1", 1, "65534", 3));
            assertThat(pair.a.addresses.insertSymmetric("127.0.0.1", 1, "65534", 2)).hasSize(2);
        }
    }

    /** To shm a service is a part of a name. */
    @Test
    void whatIsNoPortStaysAsItIs() {
        try (Hints hints = Providers.SHM.hints();
                FabricInfoList infos = Fabric.getInfo("node", "70000", Set.of(GetInfoFlag.SOURCE), hints)) {
            assertThat(infos.first().provider()).isEqualTo("shm");
        }
    }

    private static void cut(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a null byte at ");
    }

    /** They end a text for C. */
    @Test
    void nullBytesCutNothingOff() {
        try (Hints hints = Hints.create(); Pair pair = Pair.open(Providers.RXM)) {
            cut(() -> Fabric.getInfo("127.0.0.1\0x", "1", Set.of(), hints));
            cut(() -> Fabric.getInfo("127.0.0.1", "1\0x", Set.of(), hints));
            cut(() -> hints.provider("tcp\0x"));
            cut(() -> hints.domain().name("lo\0x"));
            cut(() -> pair.a.addresses.insertService("127.0.0.1\0x", "1"));
            cut(() -> pair.a.addresses.insertService("127.0.0.1", "1\0x"));
            cut(() -> pair.domain.openAddressVector(AddressVectorAttributes.DEFAULT.shared("a\0b")));
            cut(() -> pair.domain.escapeHatch().openOps("a\0b", 0));
            assertThat(hints.fabric().providerName()).isEmpty();
        }
    }

    @Test
    void anEndpointThatIsNotReadySaysSo() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first());
             Endpoint endpoint = domain.openEndpoint(infos.first())) {
            assertThatThrownBy(endpoint::enable).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("fi_enable: bind an address vector first");
            endpoint.bind(domain.openAddressVector());
            assertThatThrownBy(endpoint::enable).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("fi_enable: bind a completion queue for TRANSMIT first");
            assertThatThrownBy(() -> endpoint.messages().receive(Arena.global().allocate(8), Address.ANY, 1))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("not enabled: call enable()");
        }
    }

    /** After close every public method throws, except those that only describe what the object was. */
    @Test
    void closedObjectsRefuseEverything() throws ReflectiveOperationException {
        List<FabricObject> objects = new ArrayList<>();
        Messages messages;
        TaggedMessages tagged;
        try (Pair pair = Pair.open(Providers.SHM)) {
            EventQueue events = pair.fabric.openEventQueue();
            Counter counter = pair.domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE));
            MemoryRegion region = pair.domain.register(Arena.ofAuto().allocate(64), MemoryAccess.READ);
            objects.addAll(List.of(pair.fabric, pair.domain, pair.a.endpoint, pair.a.queue, pair.a.addresses, events,
                    counter, region));
            messages = pair.a.endpoint.messages();
            tagged = pair.a.endpoint.tagged();
        }
        Set<String> harmless = Set.of("close", "isOpen", "toString", "equals", "hashCode", "provider", "fabric",
                "domain", "info", "messages", "tagged", "attributes", "type", "memory", "access",
                "rma", "atomics", "Deferral.at", "requestedWaitObject", "ignoreSources",
                "escapeHatch", "statistics",
                // shm has neither of the first two, the third refuses its argument first
                "WaitSet.open", "openSharedReceiveContext", "write", "waitObject", "remote", "buffers", "byteSize");
        List<Object> all = new ArrayList<>(objects);
        all.add(messages);
        all.add(tagged);
        objects.forEach(object -> all.add(object.escapeHatch()));
        all.addAll(Contract.ENTRANCES);
        List<String> survived = new ArrayList<>();
        Set<String> notCalled = new TreeSet<>();
        int called = 0;
        for (Object object : all) {
            for (Method method : object instanceof Class<?> type ? Contract.statics(type) : Contract.methods(object)) {
                String name = method.getName();
                if (harmless.contains(name)
                        || object instanceof Class<?> type && harmless.contains(type.getSimpleName() + '.' + name)) {
                    continue;
                }
                Object[] arguments = Arguments.of(method, objects);
                if (Arrays.asList(arguments).contains(null)) {
                    notCalled.add(method.getDeclaringClass().getSimpleName() + '.' + name);
                    continue;
                }
                called++;
                try {
                    Object result = method.invoke(object, arguments);
                    survived.add(method + " returned " + result);
                } catch (InvocationTargetException e) {
                    if (!(e.getCause() instanceof IllegalStateException)
                            || !e.getCause().getMessage().contains("closed")) {
                        survived.add(method + " threw " + e.getCause());
                    }
                }
            }
        }
        assertThat(survived).as("%s methods of closed objects", called).isEmpty();
        assertThat(called).isGreaterThan(50);
        // no argument is known for one form of each, or for all
        assertThat(notCalled).containsExactly("Domain.mapKey", "Domain.offers", "Domain.openEndpoint",
                "Domain.register", "Domain.unmapKey", "Endpoint.bind", "Endpoint.option", "Endpoint.setOption",
                "Fabric.offers", "Fabric.tryWait", "MemoryRegion.registerPart");
        objects.forEach(FabricObject::close);
    }

    /** Arguments that an open object would take. */
    private static final class Arguments {
        /** Whose list is one of buffers. */
        private static final Set<String> BUFFERS = Set.of("register", "refresh");
        private static FabricInfo info;

        static Object[] of(Method method, List<FabricObject> objects) {
            if (info == null) {
                try (FabricInfoList infos = Providers.SHM.find(hints -> { })) {
                    info = infos.first().duplicate();
                }
            }
            return Arrays.stream(method.getParameterTypes())
                    .map(type -> type == List.class && BUFFERS.contains(method.getName())
                            ? List.of(Arena.ofAuto().allocate(8)) : of(type, objects)).toArray();
        }

        private static Object of(Class<?> type, List<FabricObject> objects) {
            for (FabricObject object : objects) {
                if (type.isInstance(object)) {
                    return object;
                }
            }
            if (type == long.class) {
                return 1L;
            } else if (type == int.class) {
                return 1;
            } else if (type == boolean.class) {
                return false;
            } else if (type == String.class) {
                return "1";
            } else if (type == MemorySegment.class) {
                return Arena.ofAuto().allocate(64);
            } else if (type == Duration.class) {
                return Duration.ZERO;
            } else if (type == byte[].class) {
                return new byte[] {'a', 0};
            } else if (type == Address.class) {
                return Address.of("fi_shm://1");
            } else if (type == List.class) {
                return List.of(Address.of("fi_shm://1"));
            } else if (type == FabricInfo.class) {
                return info;
            } else if (type == CompletionHandler.class) {
                return (CompletionHandler) completion -> { };
            } else if (type == Flags.class) {
                return Flags.of(OperationFlag.COMPLETION);
            } else if (type == CompletionQueueAttributes.class) {
                return CompletionQueueAttributes.of(CompletionFormat.MSG);
            } else if (type == AddressVectorAttributes.class) {
                return AddressVectorAttributes.DEFAULT;
            } else if (type == AddressVectorSetAttributes.class) {
                return AddressVectorSetAttributes.range(0, 0, 1);
            } else if (type == CounterAttributes.class) {
                return CounterAttributes.DEFAULT;
            } else if (type == EventQueueAttributes.class) {
                return EventQueueAttributes.DEFAULT;
            } else if (type == WaitObject.class) {
                return WaitObject.UNSPEC;
            } else if (type.isEnum()) {
                return type.getEnumConstants()[0];
            } else if (type == BindFlag[].class) {
                return new BindFlag[] {BindFlag.TRANSMIT};
            } else if (type == MemoryAccess[].class) {
                return new MemoryAccess[0];
            } else if (type == long[].class) {
                return new long[] {1};
            }
            return null;
        }
    }
}
