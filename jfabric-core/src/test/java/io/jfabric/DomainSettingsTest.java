// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AvType;
import io.jfabric.info.DomainAttributes;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Progress;
import io.jfabric.info.ResourceManagement;
import io.jfabric.info.Threading;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A domain of every setting that a provider offers: each is another way through it. */
class DomainSettingsTest {
    private static final long TAG = 7;

    static Stream<Arguments> settings() {
        return of(Providers.all());
    }

    static Stream<Arguments> unconnected() {
        return of(Providers.connectionless());
    }

    private static Stream<Arguments> of(Stream<Providers.Choice> choices) {
        return choices.flatMap(choice -> variations().map(each -> Arguments.of(choice, each)));
    }

    private static Stream<Setting> variations() {
        List<Setting> all = new ArrayList<>();
        for (Threading each : List.of(Threading.SAFE, Threading.FID, Threading.DOMAIN, Threading.COMPLETION,
                Threading.ENDPOINT)) {
            all.add(new Setting("Threading." + each, domain -> domain.threading(each)));
        }
        for (Progress each : List.of(Progress.AUTO, Progress.MANUAL, Progress.CONTROL_UNIFIED)) {
            all.add(new Setting("control Progress." + each, domain -> domain.controlProgress(each)));
            if (each != Progress.CONTROL_UNIFIED) {
                all.add(new Setting("data Progress." + each, domain -> domain.dataProgress(each)));
            }
        }
        for (ResourceManagement each : List.of(ResourceManagement.DISABLED, ResourceManagement.ENABLED)) {
            all.add(new Setting("ResourceManagement." + each, domain -> domain.resourceManagement(each)));
        }
        for (AvType each : List.of(AvType.MAP, AvType.TABLE)) {
            all.add(new Setting("AvType." + each, domain -> domain.avType(each)));
        }
        return all.stream();
    }

    private static void assumeOffered(Providers.Choice choice, Setting setting) {
        assumeTrue(choice.isOffered(hints -> setting.change.accept(hints.domain())), "not offered");
    }

    /** What may be opened, used and closed where no endpoint is; the order of closing is left to the domain. */
    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("settings")
    void needsNoEndpoint(Providers.Choice choice, Setting setting) {
        assumeOffered(choice, setting);
        try (FabricInfoList infos = choice.find(hints -> setting.change.accept(hints.domain()));
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             Arena arena = Arena.ofConfined()) {
            for (WaitObject wait : List.of(WaitObject.NONE, WaitObject.UNSPEC, WaitObject.FD)) {
                useQueue(domain, wait);
                useCounter(domain, wait);
            }
            share(domain, infos.first(), arena.allocate(64));
        }
    }

    private static void useQueue(Domain domain, WaitObject wait) {
        CompletionQueue queue;
        try {
            queue = domain.openCompletionQueue(
                    CompletionQueueAttributes.of(CompletionFormat.TAGGED).withWaitObject(wait));
        } catch (FabricException | UnsupportedOperationException refused) {
            return;
        }
        try (queue) {
            assertThat(queue.poll(completion -> { }, 1)).isZero();
        }
    }

    private static void useCounter(Domain domain, WaitObject wait) {
        Counter counter;
        try {
            counter = domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(wait));
        } catch (FabricException | UnsupportedOperationException refused) {
            return;
        }
        try (counter) {
            counter.add(3);
            assertThat(counter.read()).isEqualTo(3);
        }
    }

    private static void share(Domain domain, FabricInfo info, MemorySegment buffer) {
        SharedReceiveContext shared;
        try {
            shared = domain.openSharedReceiveContext(info);
        } catch (FabricException | UnsupportedOperationException | IllegalArgumentException refused) {
            return;
        }
        try (shared) {
            shared.messages().receive(buffer, Address.ANY, 1);
        } catch (FabricException unbound) {
            assertThat(unbound).hasMessageContaining("fi_recv");
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("unconnected")
    void carriesMessages(Providers.Choice choice, Setting setting) {
        assumeOffered(choice, setting);
        try (Pair pair = Pair.open(choice, hints -> setting.change.accept(hints.domain()));
             Arena arena = Arena.ofShared()) {
            pair.connect();
            for (int size : new int[] {8, 1000}) {
                MemorySegment out = arena.allocate(size).fill((byte) size);
                MemorySegment in = arena.allocate(size);
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, TAG));
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, TAG + 1));
                pair.await(pair.b, TAG);
                pair.await(pair.a, TAG + 1);
                assertThat(in.mismatch(out)).isEqualTo(-1);
            }
        }
    }

    /** One value of one attribute. */
    private record Setting(String name, Consumer<DomainAttributes> change) {
        @Override
        public String toString() {
            return name;
        }
    }
}
