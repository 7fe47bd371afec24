// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Cases of one thread with two endpoints in one process; twin of in_process.c. */
final class InProcess {
    private static final int TAG = 7;

    private final Options options;
    private final Side a;
    private final Side b;
    private final Hints hints;
    private long consumed;

    private InProcess(Options options, Side a, Side b, Hints hints) {
        this.options = options;
        this.a = a;
        this.b = b;
        this.hints = hints;
    }

    static void run(Options options) throws IOException {
        long half = options.largest();
        Capability[] capabilities = options.has("register") ? new Capability[] {Capability.TAGGED, Capability.RMA}
                : new Capability[] {Capability.TAGGED};
        try (OpenDomain domain = new OpenDomain(options, capabilities);
                Side a = new Side(domain, half);
                Side b = new Side(domain, half);
                Hints hints = OpenDomain.hints(options, capabilities)) {
            a.other(b);
            b.other(a);
            a.connect(b.name());
            b.connect(a.name());
            InProcess cases = new InProcess(options, a, b, hints);
            Turns turns = new Turns(options, null);
            for (Spec spec : options.specs()) {
                turns.take(spec, "ns", () -> cases.chunk(spec));
            }
        }
    }

    private double chunk(Spec spec) {
        if (spec.name().startsWith("post-")) {
            return (double) posts(spec.bytes(), spec.name().equals("post-send"), spec.iterations())
                    / spec.iterations();
        }
        long start = System.nanoTime();
        run(spec, spec.iterations());
        return (double) (System.nanoTime() - start) / spec.iterations();
    }

    private void run(Spec spec, long count) {
        switch (spec.name()) {
            case "round-trip" -> roundTrips(spec.bytes(), count);
            case "sixteen" -> sixteen(spec.bytes(), count);
            case "empty-poll" -> emptyPolls(count);
            case "get-info" -> getInfos(count);
            case "register" -> registrations(spec.bytes(), count);
            default -> throw new IllegalArgumentException("no case " + spec.name() + " in one process");
        }
    }

    private void roundTrips(long bytes, long count) {
        long aSent = a.sent;
        long bSent = b.sent;
        long aReceived = a.received;
        long bReceived = b.received;
        for (long i = 0; i < count; i++) {
            b.receive(bytes, TAG);
            a.send(bytes, TAG);
            a.awaitSent(++aSent);
            b.awaitReceived(++bReceived);
            a.receive(bytes, TAG);
            b.send(bytes, TAG);
            b.awaitSent(++bSent);
            a.awaitReceived(++aReceived);
        }
    }

    /** Sixteen operations in one loop, for scripts/bench-inlining: has C2 room for them? */
    private void sixteen(long bytes, long count) {
        for (long i = 0; i < count; i++) {
            b.receive(bytes, TAG);
            a.send(bytes, TAG);
            a.awaitSent(a.sent + 1);
            b.awaitReceived(b.received + 1);
            a.receive(bytes, TAG);
            b.send(bytes, TAG);
            b.awaitSent(b.sent + 1);
            a.awaitReceived(a.received + 1);
            b.receive(bytes, TAG);
            a.send(bytes, TAG);
            a.awaitSent(a.sent + 1);
            b.awaitReceived(b.received + 1);
            a.receive(bytes, TAG);
            b.send(bytes, TAG);
            b.awaitSent(b.sent + 1);
            a.awaitReceived(a.received + 1);
        }
    }

    /** Windows of messages, of which only the posting is timed: of the receives or of the sends. */
    private long posts(long bytes, boolean sends, long count) {
        long ns = 0;
        long sent = a.sent;
        long received = b.received;
        for (long i = 0; i < count; i += Side.WINDOW) {
            long start = System.nanoTime();
            for (int w = 0; w < Side.WINDOW; w++) {
                b.receive(bytes, TAG);
            }
            long between = System.nanoTime();
            for (int w = 0; w < Side.WINDOW; w++) {
                a.send(bytes, TAG);
            }
            ns += sends ? System.nanoTime() - between : between - start;
            sent += Side.WINDOW;
            a.awaitSent(sent);
            received += Side.WINDOW;
            b.awaitReceived(received);
        }
        return ns;
    }

    private void emptyPolls(long count) {
        for (long i = 0; i < count; i++) {
            if (a.poll() != 0) {
                throw new IllegalStateException("a completion that nobody asked for");
            }
        }
    }

    private void registrations(long bytes, long count) {
        MemorySegment memory = a.memory.asSlice(0, bytes);
        for (long i = 0; i < count; i++) {
            a.domain().domain.register(memory, MemoryAccess.SEND, MemoryAccess.RECV, MemoryAccess.READ,
                    MemoryAccess.WRITE, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).close();
        }
    }

    /** Unlike C's, this also reads every attribute into Java objects. */
    private void getInfos(long count) {
        for (long i = 0; i < count; i++) {
            try (FabricInfoList infos = OpenDomain.getInfo(options, hints)) {
                for (FabricInfo info : infos) {
                    consumed += Attributes.readAll(info);
                }
            }
        }
        if (consumed == 0) {
            throw new IllegalStateException("nothing read");
        }
    }
}
