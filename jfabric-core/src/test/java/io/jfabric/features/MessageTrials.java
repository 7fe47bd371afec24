// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionFlag;
import io.jfabric.CompletionHandler;
import io.jfabric.FabricError;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** Trials of messages. The right side receives, unless it says that both do. */
final class MessageTrials {
    private static final long TAG = 0x7000;

    private MessageTrials() {
    }

    static void small(Party party) {
        exchange(party, 1, 8, 64);
    }

    static void medium(Party party) {
        exchange(party, 256, 4096);
    }

    static void large(Party party) {
        exchange(party, 16384, 65536, 1 << 20);
    }

    /** Both ways. */
    private static void exchange(Party party, int... sizes) {
        for (int size : sizes) {
            if (size > party.info.endpoint().maxMessageSize()) {
                throw new Feature.NotThere("at most " + party.info.endpoint().maxMessageSize() + " bytes");
            }
            one(party, size, party.left);
            one(party, size, !party.left);
        }
    }

    private static void one(Party party, int size, boolean sends) {
        MemorySegment pattern = Bytes.pattern(party.arena, size, size);
        if (sends) {
            party.hear();
            party.post(() -> party.side.endpoint.messages().send(pattern, party.side.peer, 1));
            party.await(1);
            party.hear();
        } else {
            MemorySegment buffer = party.arena.allocate(size, 8);
            party.post(() -> party.side.endpoint.messages().receive(buffer, Address.ANY, 2));
            party.link.tell("posted");
            party.expect("length", size, party.await(2).length());
            party.expect(pattern, buffer);
            party.link.tell("received");
        }
    }

    static void inject(Party party) {
        if (party.info.tx().injectSize() < 8) {
            throw new Feature.NotThere("injects " + party.info.tx().injectSize() + " bytes");
        }
        MemorySegment pattern = Bytes.pattern(party.arena, 8, 3);
        if (party.left) {
            party.hear();
            party.post(() -> party.side.endpoint.messages().inject(pattern, party.side.peer));
        } else {
            MemorySegment buffer = party.arena.allocate(8, 8);
            party.post(() -> party.side.endpoint.messages().receive(buffer, Address.ANY, 2));
            party.link.tell("posted");
            party.await(2);
            party.expect(pattern, buffer);
        }
        party.together("over");
    }

    static void data(Party party) {
        if (party.info.domain().limits().cqDataSize() == 0) {
            throw new Feature.NotThere("no immediate data");
        }
        MemorySegment buffer = party.arena.allocate(8, 8);
        if (party.left) {
            party.hear();
            party.post(() -> party.side.endpoint.messages().sendData(buffer, 99, party.side.peer, 1));
            party.await(1);
        } else {
            party.post(() -> party.side.endpoint.messages().receive(buffer, Address.ANY, 2));
            party.link.tell("posted");
            Done done = party.await(2);
            party.expect("REMOTE_CQ_DATA", 1, done.is(CompletionFlag.REMOTE_CQ_DATA) ? 1 : 0);
            party.expect("data", 99, done.data());
        }
        party.together("over");
    }

    static void cancel(Party party) {
        MemorySegment buffer = party.arena.allocate(8, 8);
        if (!party.left) {
            party.post(() -> party.side.endpoint.messages().receive(buffer, Address.ANY, 5));
            if (!party.side.endpoint.cancel(5)) {
                throw new Feature.NotThere("cancel answers false");
            }
            Done done = party.awaitAny(d -> d.context() == 5);
            if (done.error() == null || done.error().error() != FabricError.ECANCELED) {
                throw new AssertionError("not cancelled: " + done);
            }
        }
        party.together("over");
    }

    static void multiReceive(Party party) {
        int size = (int) Party.MULTI_RECEIVE_MINIMUM;
        if (party.left) {
            party.hear();
            for (int i = 0; i < 3; i++) {
                MemorySegment pattern = Bytes.pattern(party.arena, size, i);
                party.post(() -> party.side.endpoint.messages().send(pattern, party.side.peer, 1));
                party.await(1);
            }
        } else {
            if (!Party.EARLY.contains(party.choice.provider())) {
                party.side.endpoint.setOption(EndpointOption.MIN_MULTI_RECV, (long) size);
            }
            MemorySegment buffer = party.arena.allocate(1 << 18, 64);
            party.post(() -> party.side.endpoint.messages().receiveMulti(buffer, Address.ANY, 2));
            party.link.tell("posted");
            for (int i = 0; i < 3; i++) {
                Done done = party.await(d -> d.context() == 2 && d.length() > 0);
                party.expect("length", size, done.length());
                party.expect(Bytes.pattern(party.arena, size, i),
                        buffer.asSlice(done.buffer() - buffer.address(), size));
            }
        }
        party.together("over");
    }

    /** The second tag comes first. */
    static void tagged(Party party) {
        MemorySegment one = Bytes.pattern(party.arena, 48, 1);
        MemorySegment two = Bytes.pattern(party.arena, 48, 2);
        if (party.left) {
            party.hear();
            party.post(() -> party.side.endpoint.tagged().send(two, party.side.peer, TAG + 2, 2));
            party.post(() -> party.side.endpoint.tagged().send(one, party.side.peer, TAG + 1, 1));
            party.await(2);
            party.await(1);
        } else {
            MemorySegment forOne = party.arena.allocate(48, 8);
            MemorySegment forTwo = party.arena.allocate(48, 8);
            party.post(() -> party.side.endpoint.tagged().receive(forOne, Address.ANY, TAG + 1, 0, 3));
            party.post(() -> party.side.endpoint.tagged().receive(forTwo, Address.ANY, TAG + 2, 0, 4));
            party.link.tell("posted");
            party.expect("tag", TAG + 1, party.await(3).tag());
            party.expect("tag", TAG + 2, party.await(4).tag());
            party.expect(one, forOne);
            party.expect(two, forTwo);
        }
        party.together("over");
    }

    static void peek(Party party) {
        MemorySegment pattern = Bytes.pattern(party.arena, 48, 1);
        if (party.left) {
            party.post(() -> party.side.endpoint.tagged().send(pattern, party.side.peer, TAG, 1));
            party.await(1);
        } else {
            Done[] seen = new Done[1];
            party.post(() -> {
                party.post(() -> party.side.endpoint.tagged().peek(Address.ANY, TAG, 0, 2));
                seen[0] = party.awaitAny(done -> done.context() == 2);
                return seen[0].error() == null;
            });
            party.expect("length", 48, seen[0].length());
            MemorySegment buffer = party.arena.allocate(48, 8);
            party.post(() -> party.side.endpoint.tagged().receive(buffer, Address.ANY, TAG, 0, 3));
            party.await(3);
            party.expect(pattern, buffer);
        }
        party.together("over");
    }

    static void counters(Party party) {
        int messages = 3;
        if (party.left) {
            party.hear();
            for (int i = 0; i < messages; i++) {
                MemorySegment pattern = Bytes.pattern(party.arena, 8, i);
                party.post(() -> party.side.endpoint.messages().send(pattern, party.side.peer, 1));
                party.await(1);
            }
        } else {
            for (int i = 0; i < messages; i++) {
                MemorySegment buffer = party.arena.allocate(8, 8);
                party.post(() -> party.side.endpoint.messages().receive(buffer, Address.ANY, 2));
            }
            party.link.tell("posted");
            party.expect("reached", 1, party.counter.await(messages, Duration.ofSeconds(20)) ? 1 : 0);
            party.expect("counter", messages, party.counter.read());
        }
        party.together("over");
    }

    static void blocking(Party party) {
        MemorySegment pattern = Bytes.pattern(party.arena, 8, 3);
        if (party.left) {
            party.hear();
            party.post(() -> party.side.endpoint.messages().send(pattern, party.side.peer, 1));
            party.await(1);
        } else {
            MemorySegment buffer = party.arena.allocate(8, 8);
            party.post(() -> party.side.endpoint.messages().receive(buffer, Address.ANY, 2));
            party.link.tell("posted");
            party.expect("events", 1, party.side.queue.await(new CompletionHandler() {
                @Override
                public void onCompletion(Completion completion) {
                    party.expect("context", 2, completion.context());
                }

                @Override
                public void onError(CompletionError error) {
                    throw error.toException();
                }
            }, 1, Duration.ofSeconds(20)));
            party.expect(pattern, buffer);
        }
        party.together("over");
    }

    /** The left side, by itself. */
    static void twoEndpoints(Party party) {
        if (party.choice.type() == EndpointType.MSG) {
            throw new Feature.NotThere("connections are between two endpoints of a process in other tests");
        }
        if (party.left) {
            party.side.endpoint.close();
            try (Pair pair = Pair.open(party.choice, Feature.TWO_ENDPOINTS::ask)) {
                pair.connect();
            }
        }
        party.together("over");
    }
}
