// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.Address;
import io.jfabric.AddressVector;
import io.jfabric.BindFlag;
import io.jfabric.Completion;
import io.jfabric.CompletionFormat;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricInfo;
import io.jfabric.FabricInfoList;
import io.jfabric.GetInfoFlag;
import io.jfabric.Hints;
import io.jfabric.TaggedMessages;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Mode;
import io.jfabric.info.Threading;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/** jfabric: tagged messages, small ones injected, receives posted while the message is under way. */
final class FabricLink extends Link implements CompletionHandler {
    private static final int BATCH = 16;
    private static final int TAG = 7;
    private static final int SENT = WINDOW;
    private static final int PAGE = 4096;

    private final Arena arena = Arena.ofShared();
    private final FabricInfo info;
    private final Fabric fabric;
    private final CompletionQueue queue;
    private final TaggedMessages tagged;
    private final long peer;
    private final long injectable;
    private final int slot;
    private final MemorySegment out;
    private final MemorySegment in;
    private int sending;
    private int sendSlot;
    private int receiveSlot;

    FabricLink(Meeting meeting, String provider, String node) throws IOException {
        slot = Math.max(meeting.largest(), Long.BYTES);
        out = arena.allocate((long) slot * WINDOW, PAGE).fill((byte) 1);
        in = arena.allocate((long) slot * WINDOW, PAGE).fill((byte) 1);
        try (Hints hints = Hints.empty().capabilities(Capability.TAGGED).mode(Mode.CONTEXT, Mode.CONTEXT2)
                .endpointType(EndpointType.RDM).provider(provider)) {
            hints.domain().threading(Threading.DOMAIN);
            Set<GetInfoFlag> flags = node == null ? Set.of() : Set.of(GetInfoFlag.SOURCE);
            try (FabricInfoList infos = Fabric.getInfo(node, null, flags, hints)) {
                info = infos.first().duplicate();
            }
        }
        fabric = Fabric.open(info);
        Domain domain = fabric.openDomain(info);
        AddressVector vector = domain.openAddressVector();
        queue = domain.openCompletionQueue(CompletionFormat.TAGGED).withoutSources();
        Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECEIVE).bind(vector)
                .enable();
        tagged = endpoint.tagged();
        injectable = info.tx().injectSize();
        peer = vector.insert(meeting.exchange(endpoint.address().bytes()));
    }

    @Override
    protected void post(int bytes, int count) {
        for (int i = 0; i < count; i++) {
            while (!tagged.receive(in, (long) receiveSlot * slot, bytes, Address.ANY, TAG, 0, receiveSlot)) {
                progress();
            }
            receiveSlot = (receiveSlot + 1) % WINDOW;
        }
    }

    @Override
    void send(int bytes) {
        long offset = (long) sendSlot * slot;
        out.set(ValueLayout.JAVA_LONG, offset, next());
        if (bytes <= injectable) {
            while (!tagged.inject(out, offset, bytes, peer, TAG)) {
                progress();
            }
            return;
        }
        while (!tagged.send(out, offset, bytes, peer, TAG, SENT)) {
            progress();
        }
        sending++;
        sendSlot = (sendSlot + 1) % WINDOW;
    }

    /** All buffers may be used again afterwards, the same ones first. */
    @Override
    void flush() {
        while (sending > 0) {
            progress();
        }
        sendSlot = 0;
    }

    @Override
    void progress() {
        queue.poll(this, BATCH);
    }

    @Override
    public void onCompletion(Completion completion) {
        long context = completion.context();
        if (context == SENT) {
            sending--;
        } else {
            arrived(in.get(ValueLayout.JAVA_LONG, context * slot));
        }
    }

    @Override
    public void close() {
        fabric.close();
        info.close();
        arena.close();
    }
}
