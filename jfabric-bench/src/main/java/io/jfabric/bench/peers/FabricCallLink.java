// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.async.Call;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.bench.vsc.Stacks;
import io.jfabric.info.Capability;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;

/** jfabric's {@link Caller} and {@link Service}; the handler runs in the thread that makes the progress. */
final class FabricCallLink extends CallLink {
    private static final int SERVICE = 1;
    private static final int CACHE_LINE = 64;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final Node node;
    private final MemorySegment out;
    private final MemorySegment in;
    /** Slots of the buffers that no call uses, the one used last on top: it is cached. */
    private final int[] free = new int[WINDOW];
    private int slots = WINDOW;
    private final Caller caller;
    private boolean begun;

    FabricCallLink(Meeting meeting, String provider) throws IOException {
        node = NodeLink.open(Stacks.provider(provider), Capability.MSG, Capability.TAGGED);
        long capacity = WINDOW * stride(meeting.largest());
        out = node.memory().allocate(capacity, CACHE_LINE).fill((byte) 1);
        in = node.memory().allocate(capacity, CACHE_LINE).fill((byte) 1);
        Arrays.setAll(free, slot -> WINDOW - 1 - slot);
        if (meeting.server()) {
            Service.open(node, SERVICE, this::answer, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
            NodeLink.meet(node, meeting);
            caller = null;
            while (!begun) {
                node.progress();
            }
        } else {
            Peer peer = NodeLink.meet(node, meeting);
            caller = Caller.open(peer, SERVICE, CallerOptions.DEFAULT.withWindow(2 * WINDOW));
            // a request that is no message: they have agreed on a session then
            caller.call(new byte[0]).join();
        }
    }

    private static long stride(int bytes) {
        return (bytes + CACHE_LINE - 1L) / CACHE_LINE * CACHE_LINE;
    }

    private void answer(Call call) {
        MemorySegment request = call.request();
        if (request.byteSize() == 0) {
            begun = true;
            call.answer(request);
            return;
        }
        int bytes = asked(request.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        call.answer(request.asSlice(0, bytes)).whenComplete((nothing, failure) -> {
            if (failure == null) {
                arrivedInAnyOrder();
            }
        });
    }

    @Override
    void send(int bytes) {
        long number = next();
        int slot = free[--slots];
        long offset = slot * stride(bytes);
        out.set(ValueLayout.JAVA_LONG, offset, number);
        caller.call(out.asSlice(offset, bytes), in.asSlice(offset, bytes), DEADLINE).whenComplete((answer, failure) -> {
            free[slots++] = slot;
            answered(number, failure == null ? answer.get(ValueLayout.JAVA_LONG, 0) : 0, failure);
        });
    }

    @Override
    void flush() {
        while (node.waiting() > 0) {
            progress();
        }
    }

    @Override
    void progress() {
        node.progress();
    }

    @Override
    public void close() {
        node.close();
    }
}
