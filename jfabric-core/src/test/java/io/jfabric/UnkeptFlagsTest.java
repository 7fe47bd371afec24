// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.post.Limits;
import io.jfabric.option.Direction;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.trigger.Deferral;
import io.jfabric.trigger.Trigger;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Flags that a provider takes without doing as they say are refused: an operation would overtake what it waits for. */
@Timeout(60)
class UnkeptFlagsTest {
    private final Arena arena = Arena.ofAuto();

    static Stream<Providers.Choice> providers() {
        return Stream.concat(Providers.rdm(), Providers.offered(new Providers.Choice("net", Providers.RXM.type())));
    }

    private static Pair open(Providers.Choice choice) {
        return Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA)).connect();
    }

    private static void refused(String remedy, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP)).hasMessageContaining(remedy);
    }

    private MessageRequest send(Pair pair) {
        return pair.a.endpoint.messages().sendRequest().buffers(arena.allocate(8)).peer(pair.a.peer);
    }

    private RmaRequest write(Pair pair) {
        MemorySegment target = arena.allocate(8);
        RemoteRegion region = pair.b.endpoint.register(target, MemoryAccess.REMOTE_WRITE).remote();
        return pair.a.endpoint.rma().writeRequest().buffers(arena.allocate(8)).peer(pair.a.peer).range(region, 0, 8);
    }

    private static void refusedByDefault(Pair pair, String remedy, OperationFlag flag) {
        Flags<OperationFlag> flags = Flags.of(flag);
        refused(remedy, () -> pair.a.endpoint.setOperationFlags(Direction.TRANSMIT, flags));
        refused(remedy, () -> pair.a.endpoint.alias(Direction.TRANSMIT, flags));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void refusesWhatTheProviderDoesNotKeep(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            MessageRequest send = send(pair);
            RmaRequest write = write(pair);
            String wait = "wait for the completion";
            send.flags(OperationFlag.FENCE);
            refused(wait, () -> send.post(1));
            write.flags(OperationFlag.FENCE, OperationFlag.COMPLETION);
            refused(wait, () -> write.post(1));
            refusedByDefault(pair, wait, OperationFlag.FENCE);
            send.flags(OperationFlag.MATCH_COMPLETE);
            refused("have the receiver answer", () -> send.post(1));
            refusedByDefault(pair, "have the receiver answer", OperationFlag.MATCH_COMPLETE);
            write.flags(OperationFlag.COMMIT_COMPLETE, OperationFlag.COMPLETION);
            if (!pair.info.capabilities().contains(Capability.RMA_PMEM)) {
                refused("ask for Capability.RMA_PMEM", () -> write.post(1));
                refusedByDefault(pair, "ask for Capability.RMA_PMEM", OperationFlag.COMMIT_COMPLETE);
                write.flags(OperationFlag.COMPLETION);
            }
            pair.post(() -> write.post(2));
            pair.await(pair.a, 2);
        }
    }

    @Test
    void startsNothingOfTheKindLater() {
        Providers.SOCKETS.assumeOffered();
        try (Pair pair = Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TRIGGER))) {
            Counter counter = pair.domain.openCounter();
            MessageRequest send = send(pair).flags(OperationFlag.MATCH_COMPLETE);
            refused("have the receiver answer", () -> Trigger.at(counter, 1).post(send, 1));
            refused("have the receiver answer", () -> Deferral.at(counter, 1).queue(send));
            counter.close();
        }
    }

    /** A device is not needed for that: what is looked at is the name. */
    @Test
    void verbsFencesThoughItDoesNotSay() {
        requestsFence(Providers.TCP_MSG, "verbs", true);
        requestsFence(Providers.TCP_MSG, "tcp", false);
        requestsFence(Providers.RXM, "verbs;ofi_rxm", false);
        requestsFence(Providers.UDP, "verbs", false);
    }

    private static void requestsFence(Providers.Choice choice, String name, boolean allowed) {
        try (FabricInfoList offered = choice.find(hints -> { });
                FabricInfoImpl info = (FabricInfoImpl) offered.first().duplicate()) {
            info.fabric().providerName(name);
            Limits limits = new Limits(info);
            ThrowingCallable look = () -> limits.checkOwnFlags("fi_writemsg", OperationFlag.FENCE.code());
            if (allowed) {
                assertThatCode(look).doesNotThrowAnyException();
            } else {
                refused("wait for the completion", look);
            }
            // a plain send would not look at it
            refused("wait for the completion",
                    () -> Limits.checkDefaults(info, "FI_SETOPSFLAG", Flags.of(OperationFlag.FENCE)));
        }
    }

    /** What infos without hints have by default is no wish of the program. */
    @Test
    void opensWhatIsOfferedWithoutHints() {
        Providers.SOCKETS.assumeOffered();
        try (FabricInfoList all = Fabric.getInfo(null)) {
            assertThat(all.stream().filter(info -> info.provider().equals("sockets"))).isNotEmpty().allSatisfy(info -> {
                assertThat(info.tx().operationFlags().contains(OperationFlag.COMMIT_COMPLETE)).isTrue();
                try (Fabric fabric = Fabric.open(info); Domain domain = fabric.openDomain(info)) {
                    domain.openEndpoint(info).close();
                }
            });
        }
    }
}
