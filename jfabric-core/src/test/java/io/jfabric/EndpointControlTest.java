// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.TagFormat;
import io.jfabric.info.TrafficClass;
import io.jfabric.info.Version;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Options, default flags, aliases, and the doors to what only a provider knows: each works or says why not. */
class EndpointControlTest {
    private static final Long EARLY = 2048L;

    /** All that a provider may answer to something it does not have. */
    private static final List<FabricError> NO = List.of(FabricError.ENOSYS, FabricError.EINVAL,
            FabricError.ENOPROTOOPT, FabricError.EOPNOTSUPP, FabricError.EOPBADSTATE);

    private static boolean works(ThrowingCallable call) {
        try {
            call.call();
            return true;
        } catch (FabricException e) {
            assertThat(e.error()).as(e.getMessage()).isIn(NO);
            return false;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private static <T> T orNull(Callable<T> call) {
        try {
            return call.call();
        } catch (FabricException e) {
            assertThat(e.error()).as(e.getMessage()).isIn(NO);
            return null;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void everyOptionWorksOrSaysNo(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                EndpointControlTest::setEarly)) {
            Endpoint endpoint = pair.a.endpoint;
            if (choice.type() == EndpointType.RDM) {
                assertThat(endpoint.option(EndpointOption.MIN_MULTI_RECV)).isEqualTo(EARLY);
            }
            for (EndpointOption<Long> option : List.of(EndpointOption.CM_DATA_SIZE, EndpointOption.BUFFERED_MIN,
                    EndpointOption.BUFFERED_LIMIT, EndpointOption.SEND_BUF_SIZE, EndpointOption.RECV_BUF_SIZE,
                    EndpointOption.TX_SIZE, EndpointOption.RX_SIZE)) {
                Long value = orNull(() -> endpoint.option(option));
                assertThat(value == null || value >= 0).as("%s: %s", option, value).isTrue();
            }
            if (choice.provider().equals("sockets")) {
                assertThat(endpoint.option(EndpointOption.CM_DATA_SIZE)).isEqualTo(256L);
            }
            assertAtMost(endpoint, endpoint.info().endpoint().maxMessageSize(), EndpointOption.MAX_MSG_SIZE,
                    EndpointOption.MAX_TAGGED_SIZE, EndpointOption.MAX_RMA_SIZE, EndpointOption.MAX_ATOMIC_SIZE);
            assertAtMost(endpoint, endpoint.info().tx().injectSize(), EndpointOption.INJECT_MSG_SIZE,
                    EndpointOption.INJECT_TAGGED_SIZE, EndpointOption.INJECT_RMA_SIZE,
                    EndpointOption.INJECT_ATOMIC_SIZE);
            assertThat(orNull(() -> endpoint.option(EndpointOption.ofLong("none", 12345)))).isNull();
            orNull(() -> endpoint.option(EndpointOption.HMEM_P2P));
            orNull(() -> endpoint.option(EndpointOption.CUDA_API_PERMITTED));
            orNull(() -> endpoint.option(EndpointOption.SHARED_MEMORY_PERMITTED));
            boolean hasFirewalls = choice.equals(Providers.TCP_RDM) && Fabric.version().atLeast(new Version(2, 2));
            assertThat(works(() -> assertThat(endpoint.option(EndpointOption.FIREWALL_ADDR)).isZero()))
                    .isEqualTo(hasFirewalls);
            boolean late = (choice.equals(Providers.SHM) || choice.equals(Providers.RXM))
                    && Fabric.version().atLeast(new Version(2, 0));
            if (late) {
                // they would take it and use what was set before enabling
                assertThatThrownBy(() -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 4096L))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("before");
                assertThat(endpoint.option(EndpointOption.MIN_MULTI_RECV)).isEqualTo(EARLY);
            } else if (works(() -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 4096L))) {
                assertThat(endpoint.option(EndpointOption.MIN_MULTI_RECV)).isEqualTo(4096L);
            } else {
                assertThat(choice.type()).isNotEqualTo(EndpointType.RDM);
            }
            assertThatThrownBy(() -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, null))
                    .isInstanceOf(late ? IllegalStateException.class : NullPointerException.class);
        }
    }

    /** Where the provider has these at all. */
    @SafeVarargs
    private static void assertAtMost(Endpoint endpoint, long limit, EndpointOption<Long>... options) {
        for (EndpointOption<Long> option : options) {
            Long value = orNull(() -> endpoint.option(option));
            assertThat(value == null || value >= 0 && value <= limit)
                    .as("%s: %s, but the info says %s", option, value, limit).isTrue();
        }
    }

    private static void setEarly(Endpoint endpoint) {
        boolean set = works(() -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, EARLY));
        if (endpoint.info().provider().equals("shm")) {
            assertThat(set).isTrue();
            // by another name, which shm would take to nowhere
            int code = EndpointOption.MIN_MULTI_RECV.code();
            endpoint.setOption(EndpointOption.ofLong("minimum", code), EARLY);
            if (!Fabric.version().atLeast(new Version(2, 0))) {
                assertThatThrownBy(() -> endpoint.setOption(EndpointOption.ofInt("minimum", code), 1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Long");
            }
            assertThatThrownBy(() -> endpoint.option(EndpointOption.MIN_MULTI_RECV))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("enable");
        } else if (set) {
            assertThat(endpoint.option(EndpointOption.MIN_MULTI_RECV)).isEqualTo(EARLY);
        }
    }

    @Test
    void valuesOfOptionsAreReadWhereJavaMay() {
        EndpointOption<Long> option = EndpointOption.MIN_MULTI_RECV;
        MemorySegment heap = MemorySegment.ofArray(new byte[9]).asSlice(1);
        option.encode(heap, 77L);
        assertThat(option.decode(heap)).isEqualTo(77L);
        assertThatThrownBy(() -> option.decode(heap.asSlice(1))).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> option.encode(null, 1L)).isInstanceOf(NullPointerException.class)
                .hasMessageContaining("FI_OPT_MIN_MULTI_RECV: the memory is null");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(8, 8);
            assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> option.decode(confined)).join())
                    .hasCauseInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("FI_OPT_MIN_MULTI_RECV: the arena");
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> option.encode(confined, 1L)).join())
                    .hasCauseInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("FI_OPT_MIN_MULTI_RECV: the arena");
        }
    }

    @Test
    void theListenerKnowsHowMuchDataARequestCarries() {
        try (Connected c = new Connected(Providers.TCP_MSG)) {
            assertThat(c.listener.option(EndpointOption.CM_DATA_SIZE)).isGreaterThanOrEqualTo(256L);
        }
    }

    @Test
    void anAliasHasItsOwnFlags() {
        Providers.SOCKETS.assumeOffered();
        try (Pair pair = Pair.open(Providers.SOCKETS); Arena arena = Arena.ofConfined()) {
            Endpoint alias = pair.a.endpoint.alias(Direction.TRANSMIT,
                    Flags.of(OperationFlag.COMPLETION, OperationFlag.DELIVERY_COMPLETE));
            assertThat(alias.operationFlags(Direction.TRANSMIT).contains(OperationFlag.DELIVERY_COMPLETE)).isTrue();
            assertThat(pair.a.endpoint.operationFlags(Direction.TRANSMIT).contains(OperationFlag.DELIVERY_COMPLETE))
                    .isFalse();
            MemorySegment in = arena.allocate(16);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> alias.messages().send(arena.allocateFrom("alias"), pair.a.peer, 2));
            pair.await(pair.a, 2);
            pair.await(pair.b, 1);
            assertThat(in.getString(0)).isEqualTo("alias");
            alias.close();
            assertThat(pair.a.endpoint.isOpen()).isTrue();
        }
    }

    @Test
    void anAliasOfAnAliasReachesPeers() {
        Providers.SOCKETS.assumeOffered();
        Flags<OperationFlag> reported = Flags.of(OperationFlag.COMPLETION);
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            Endpoint alias = pair.a.endpoint.alias(Direction.TRANSMIT, reported).alias(Direction.TRANSMIT, reported);
            MemorySegment memory = pair.domain.openArena().allocate(8);
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
            pair.post(() -> alias.messages().send(memory, pair.a.peer, 2));
            pair.await(pair.a, 2);
            pair.await(pair.b, 1);
            assertThatThrownBy(() -> alias.messages().send(memory, 1000, 3))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not in the address vector");
        }
    }

    /** What it is bound to would be bound to the endpoint, in the place of what that uses. */
    @Test
    void anAliasIsEnabled() {
        assumeTrue(Providers.SOCKETS.isOffered(), "no sockets");
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            FabricArena memory = pair.domain.openArena();
            memory.allocate(8);
            Endpoint alias = pair.a.endpoint.alias(Direction.TRANSMIT, Flags.of(OperationFlag.COMPLETION));
            AddressVector addresses = pair.domain.openAddressVector();
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.MSG);
            Counter counter = pair.domain.openCounter();
            for (ThrowingCallable late : List.<ThrowingCallable>of(() -> alias.bind(addresses),
                    () -> alias.bind(queue, BindFlag.TRANSMIT), () -> alias.bind(counter, BindFlag.TRANSMIT),
                    alias::enable, alias::rawContexts)) {
                assertThatThrownBy(late).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is enabled already");
            }
            alias.close();
            memory.close();
            addresses.close();
            queue.close();
            counter.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void controlsWorkOrSayNo(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofConfined()) {
            Endpoint endpoint = pair.a.endpoint;
            boolean sockets = choice.provider().equals("sockets");
            assertThat(works(() -> endpoint.alias(Direction.TRANSMIT, Flags.of(OperationFlag.COMPLETION)).close()))
                    .isEqualTo(sockets);
            if (works(() -> endpoint.setOperationFlags(Direction.TRANSMIT, Flags.of(OperationFlag.COMPLETION)))) {
                assertThat(endpoint.operationFlags(Direction.TRANSMIT).contains(OperationFlag.COMPLETION)).isTrue();
            } else {
                assertThat(sockets).isFalse();
            }
            assertThatThrownBy(() -> endpoint.operationFlags(null)).isInstanceOf(NullPointerException.class)
                    .hasMessage("direction");
            sizesLeft(endpoint);
            // not on queues: those of most providers follow a null wait object whatever the command is
            for (FabricObject object : List.of(endpoint, pair.domain, pair.fabric)) {
                assertThat(works(() -> object.escapeHatch().openOps("no such ops", 0))).isFalse();
                assertThat(works(() -> object.escapeHatch().setOps("no such ops", 0, arena.allocate(64)))).isFalse();
                assertThat(works(() -> object.escapeHatch().getValue(424242, arena.allocate(64)))).isFalse();
                assertThat(works(() -> object.escapeHatch().setValue(424242, arena.allocate(64)))).isFalse();
                assertThat(works(() -> object.escapeHatch().control(424242, arena.allocate(64)))).isFalse();
            }
        }
    }

    /** Nobody has them: what is tested is that this is said, and that a queue survives the question. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void objectsHaveNoFlagsOfTheirOwn(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            for (FabricObject object : List.of(pair.a.endpoint, pair.a.queue, pair.a.addresses, pair.domain,
                    pair.fabric)) {
                assertThatThrownBy(() -> object.escapeHatch().fidFlags()).isInstanceOf(FabricException.class)
                        .hasMessageContaining("FI_GETFIDFLAG");
                assertThatThrownBy(() -> object.escapeHatch().setFidFlags(1)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("FI_SETFIDFLAG");
            }
        }
    }

    @SuppressWarnings("deprecation")
    private static void sizesLeft(Endpoint endpoint) {
        if (works(endpoint::transmitSizeLeft)) {
            assertThat(endpoint.transmitSizeLeft()).isPositive();
            assertThat(endpoint.receiveSizeLeft()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void flagsOfTheProvidersAreRefused(Providers.Choice choice) {
        long unknown = 1L << 58;
        try (FabricInfoList infos = choice.find(hints -> { })) {
            if (Fabric.version().compareTo(new Version(2, 0)) < 0) {
                assertThatThrownBy(() -> Fabric.open(infos.first(), unknown)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("ENOSYS");
            }
            try (Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first())) {
                works(() -> fabric.openDomain(infos.first(), unknown).close());
                // rxm of 1.17 crashes when an endpoint is closed that nothing was ever bound to
                if (!choice.equals(Providers.RXM)) {
                    works(() -> domain.openEndpoint(infos.first(), unknown).close());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void onlyMsgEndpointsConnect(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assertThatThrownBy(() -> pair.a.endpoint.connect(pair.b.endpoint.address()))
                    .isInstanceOf(FabricException.class).hasMessageContaining("FI_EP_MSG");
            assertThatThrownBy(() -> pair.a.endpoint.accept()).isInstanceOf(FabricException.class);
            assertThatThrownBy(() -> pair.a.endpoint.peerAddress()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> pair.a.endpoint.join(pair.b.endpoint.address(), 1))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("event queue");
        }
    }

    @Test
    void trafficClassesAndTags() {
        assertThat(TrafficClass.codeOfDscp(46)).isEqualTo(0x12e);
        assertThat(TrafficClass.dscpOfCode(0x12e)).hasValue(46);
        assertThat(TrafficClass.dscpOfCode((int) TrafficClass.BULK_DATA.code())).isEmpty();
        assertThatThrownBy(() -> TrafficClass.codeOfDscp(64)).isInstanceOf(IllegalArgumentException.class);
        assertThat(TagFormat.mpiTag(-1, 0xab)).isEqualTo(0xab_ffff_ffffL);
        assertThatThrownBy(() -> TagFormat.mpiTag(0, 256)).isInstanceOf(IllegalArgumentException.class);
        assertThat(AddressVector.groupAddress(5, 3)).isEqualTo(5 | 3L << 32);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void withoutFlagsTheNewerFormsOpenTheSame(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first(), 0);
             Domain domain = fabric.openDomain(infos.first(), 0)) {
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
            Endpoint endpoint = domain.openEndpoint(infos.first(), 0)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(domain.openAddressVector()).enable();
            assertThat(endpoint.address()).isNotNull();
        }
    }

    @Test
    void anyCommandReachesTheProvider() {
        Providers.SOCKETS.assumeOffered();
        try (Pair pair = Pair.open(Providers.SOCKETS); Arena arena = Arena.ofConfined()) {
            MemorySegment flags = arena.allocateFrom(ValueLayout.JAVA_LONG, BindFlag.TRANSMIT.code());
            assertThat(pair.a.endpoint.escapeHatch().control(Libfabric.FI_GETOPSFLAG(), flags)).isZero();
            assertThat(flags.get(ValueLayout.JAVA_LONG, 0))
                    .isEqualTo(pair.a.endpoint.operationFlags(Direction.TRANSMIT).bits());
        }
    }

    /**
     * What rxm of 1.17 installs in tcp: a size and a function, which nothing calls before an endpoint receives. Later
     * releases take none.
     */
    @Test
    void functionsCanBeSet() {
        try (FabricInfoList infos = Providers.TCP_MSG.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first()); Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocateFrom(ValueLayout.JAVA_LONG, 16, 0);
            if (!Fabric.version().atLeast(new Version(1, 18))) {
                domain.escapeHatch().setOps("ofix_dynamic_rbuf_v2", 0, table);
            }
            table.set(ValueLayout.JAVA_LONG, 0, 8);
            assertThatThrownBy(() -> domain.escapeHatch().setOps("ofix_dynamic_rbuf_v2", 0, table))
                    .isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_set_ops");
        }
    }
}
