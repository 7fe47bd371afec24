// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.OperationFlag;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/**
 * Receives messages of several buffers with receives that end in each of them, and then one with enough room. To be
 * run alone: where one never ends, its domain cannot be closed. Arguments: the provider, bytes in each piece, pieces.
 */
final class TruncatedPieces {
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    private final Pair pair;
    private final MemorySegment out;
    private final MemorySegment in;
    private final int piece;
    private final int pieces;

    private TruncatedPieces(Pair pair, int piece, int pieces) {
        this.pair = pair;
        this.piece = piece;
        this.pieces = pieces;
        out = Arena.ofAuto().allocate((long) piece * pieces);
        in = Arena.ofAuto().allocate(out.byteSize());
        for (long i = 0; i < out.byteSize(); i++) {
            out.setAtIndex(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 >> 3));
        }
    }

    public static void main(String[] arguments) {
        Providers.Choice choice = new Providers.Choice(arguments[0], EndpointType.RDM);
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED)).connect()) {
            TruncatedPieces test = new TruncatedPieces(pair, Integer.parseInt(arguments[1]),
                    Integer.parseInt(arguments[2]));
            for (boolean tagged : new boolean[] {false, true}) {
                for (boolean inHalves : new boolean[] {false, true}) {
                    test.runAll(tagged, inHalves);
                }
            }
        }
        System.out.println("closed");
    }

    private void runAll(boolean tagged, boolean inHalves) {
        long all = out.byteSize();
        for (long room : new long[] {0, 112, piece, piece + 1, all - piece - 1, all - piece, all - 1, all}) {
            in.fill((byte) 0);
            Done done = run(tagged, inHalves, in.asSlice(0, room));
            String what = (tagged ? "tagged " : "") + (inHalves ? "halves " : "") + room + " of " + all;
            boolean right = done.error() == null ? room == all && done.length() == all
                    : room < all && done.error().error() == FabricError.ETRUNC;
            boolean whole = room < all || in.mismatch(out) == -1;
            boolean behind = in.asSlice(room).mismatch(Arena.ofAuto().allocate(all - room)) == -1;
            if (!right || !whole || !behind) {
                throw new AssertionError(what + ": " + done + ", right bytes " + whole + ", none behind " + behind);
            }
            System.out.println("ended " + what);
        }
    }

    private Done run(boolean tagged, boolean inHalves, MemorySegment room) {
        MemorySegment[] places = inHalves ? parts(room, Math.ceilDiv(room.byteSize(), 2), 2)
                : new MemorySegment[] {room};
        Request<?> receive = tagged ? pair.b.endpoint.tagged().receiveRequest().tag(7)
                : pair.b.endpoint.messages().receiveRequest();
        Request<?> send = tagged ? pair.a.endpoint.tagged().sendRequest().tag(7)
                : pair.a.endpoint.messages().sendRequest();
        receive.buffers(places).peer(Address.ANY);
        send.buffers(parts(out, piece, pieces)).peer(pair.a.peer).flags(OperationFlag.COMPLETION);
        if (inHalves) {
            send.data(5);
        }
        pair.post(() -> receive.post(RECEIVE));
        pair.post(() -> send.post(SEND));
        Done done = pair.awaitAny(pair.b, d -> d.context() == RECEIVE);
        pair.await(pair.a, SEND);
        // the request is as it was: it is posted again in each round
        return done;
    }

    private static MemorySegment[] parts(MemorySegment all, long size, int count) {
        return IntStream.range(0, count).mapToObj(i -> all.asSlice(Math.min(all.byteSize(), i * size),
                Math.min(size, Math.max(0, all.byteSize() - i * size)))).toArray(MemorySegment[]::new);
    }
}
