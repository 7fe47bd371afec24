// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A message too long for its receive is told of where receives report only what they are asked to. */
@Timeout(90)
class SilentTruncationTest {
    private static final int LONG = 100_000;
    private static final long QUIET = 1;
    private static final long LAST = 2;
    private static final long SENT = 9;

    private final MemorySegment out = Arena.ofAuto().allocate(LONG).fill((byte) 5);
    private final MemorySegment in = Arena.ofAuto().allocate(LONG);
    private final List<Long> reported = new ArrayList<>();
    private final List<CompletionError> errors = new ArrayList<>();
    private final CompletionHandler handler = new CompletionHandler() {
        @Override
        public void onCompletion(Completion completion) {
            // some report with context 0 what they should not
            if (completion.context() != 0) {
                reported.add(completion.context());
            }
        }

        @Override
        public void onError(CompletionError error) {
            errors.add(error);
        }
    };

    private enum Way {
        UNTAGGED, TAGGED, REQUEST, TAGGED_REQUEST;

        boolean receive(Endpoint endpoint, MemorySegment buffer) {
            return switch (this) {
                case UNTAGGED -> endpoint.messages().receive(buffer, Address.ANY, QUIET);
                case TAGGED -> endpoint.tagged().receive(buffer, Address.ANY, 7, 0, QUIET);
                case REQUEST -> endpoint.messages().receiveRequest().buffers(buffer).flags().post(QUIET);
                case TAGGED_REQUEST -> endpoint.tagged().receiveRequest().tag(7).buffers(buffer).post(QUIET);
            };
        }

        boolean send(Pair pair, MemorySegment buffer, long peer) {
            return this == UNTAGGED || this == REQUEST ? pair.a.endpoint.messages().send(buffer, peer, SENT)
                    : pair.a.endpoint.tagged().send(buffer, peer, 7, SENT);
        }
    }

    /** An endpoint whose receives are silent by default, in the pair's domain. */
    private final class Silent implements AutoCloseable {
        private final Pair pair;
        private final CompletionQueue queue;
        private final AddressVector addresses;
        private final Counter counter;
        private final Endpoint endpoint;
        private final long address;

        Silent(Pair pair) {
            this.pair = pair;
            queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            addresses = pair.domain.openAddressVector();
            counter = pair.domain.openCounter();
            endpoint = pair.domain.openEndpoint(pair.info).bind(addresses).bind(counter, BindFlag.RECV)
                    .bind(queue, BindFlag.TRANSMIT).bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION).enable();
            address = pair.a.addresses.insert(endpoint.address().bytes());
        }

        /** Repeats an operation until the provider takes it. */
        void post(BooleanSupplier operation) {
            until("busy", operation);
        }

        void message(Way way, long room, long length) {
            post(() -> way.receive(endpoint, in.asSlice(0, room)));
            post(() -> way.send(pair, out.asSlice(0, length), address));
        }

        void isSent() {
            until("the send", () -> pair.a.take(done -> done.context() == SENT) != null);
        }

        /** What comes behind is reported behind. */
        void last() {
            post(() -> endpoint.tagged().receiveRequest().tag(8).buffers(in.asSlice(0, 8))
                    .flags(OperationFlag.COMPLETION).post(LAST));
            post(() -> pair.a.endpoint.tagged().send(out.asSlice(0, 8), address, 8, SENT));
            until("the last", () -> reported.contains(LAST));
        }

        void until(String what, BooleanSupplier condition) {
            pair.untilWithoutProgress(what, () -> {
                pair.a.poll();
                queue.poll(handler, 1);
                return condition.getAsBoolean();
            });
        }

        @Override
        public void close() {
            endpoint.close();
        }
    }

    private static Pair open(Providers.Choice provider) {
        return Pair.open(provider, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
    }

    private void isTold(Silent silent, Way way, long room, long length) {
        errors.clear();
        in.fill((byte) 0);
        silent.message(way, room, length);
        silent.until("the error of " + way + " of " + length, () -> !errors.isEmpty());
        assertThat(errors).singleElement().extracting(CompletionError::error).isEqualTo(FabricError.ETRUNC);
        assertThat(in.asSlice(room).mismatch(Arena.ofAuto().allocate(LONG - room))).as("behind the buffer")
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsTooLongIsToldUnasked(Providers.Choice provider) {
        for (Way way : Way.values()) {
            for (int length : new int[] {1, 40, LONG}) {
                // some end the connection with it
                try (Pair pair = open(provider); Silent silent = new Silent(pair)) {
                    isTold(silent, way, length / 2, length);
                }
            }
        }
        assertThat(reported).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatFitsIsNotTold(Providers.Choice provider) {
        try (Pair pair = open(provider); Silent silent = new Silent(pair)) {
            for (Way way : Way.values()) {
                for (int length : new int[] {8, 0, LONG}) {
                    silent.message(way, length, length);
                    silent.isSent();
                }
            }
            silent.last();
            assertThat(in.get(ValueLayout.JAVA_BYTE, LONG - 1)).isEqualTo((byte) 5);
            assertThat(reported).containsOnly(LAST);
            assertThat(errors).isEmpty();
            assertThat(silent.endpoint.statistics().posted()).isEqualTo(1);
        }
    }

    /** Providers that see no error have counted it as done before. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsTooLongCountsAsAnError(Providers.Choice provider) {
        for (Way way : Way.values()) {
            try (Pair pair = open(provider); Silent silent = new Silent(pair)) {
                isTold(silent, way, 40, 400);
                assertThat(silent.counter.readErrors()).isEqualTo(1);
                assertThat(silent.counter.read()).isZero();
            }
        }
    }

    /** Who is told by a counter alone. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aQueueThatNobodyReadsDoesNotStopReceives(Providers.Choice provider) {
        try (Pair pair = open(provider); Silent silent = new Silent(pair)) {
            MemorySegment some = in.asSlice(0, 8);
            for (int i = 0; i < 3000; i++) {
                counting(silent, () -> Way.TAGGED.receive(silent.endpoint, some));
                counting(silent, () -> Way.TAGGED.send(pair, out.asSlice(0, 8), silent.address));
                counting(silent, () -> pair.a.take(done -> done.context() == SENT) != null);
                long count = i + 1;
                counting(silent, () -> silent.counter.read() == count);
            }
            silent.last();
            assertThat(reported).containsOnly(LAST);
        }
    }

    private static void counting(Silent silent, BooleanSupplier condition) {
        silent.pair.untilWithoutProgress("a message", () -> {
            silent.pair.a.poll();
            silent.counter.read();
            return condition.getAsBoolean();
        });
    }

    /** One kind after the other may be all that the provider can bear. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void directedOnesMayFollowOthersThatAreOver(Providers.Choice provider) {
        assumeFalse(provider.equals(Providers.RXM) && Fabric.version().compareTo(new Version(2, 0)) >= 0,
                "nothing tells when they are over");
        try (Pair pair = Pair.open(provider, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV)); Silent silent = new Silent(pair)) {
            long peer = silent.addresses.insert(pair.a.endpoint.address().bytes());
            for (int i = 0; i < 6; i++) {
                long from = i % 2 == 0 ? Address.ANY : peer;
                silent.post(() -> silent.endpoint.messages().receive(in.asSlice(0, 8), from, QUIET));
                silent.post(() -> Way.UNTAGGED.send(pair, out.asSlice(0, 8), silent.address));
                silent.isSent();
                silent.last();
                reported.clear();
            }
        }
    }
}
